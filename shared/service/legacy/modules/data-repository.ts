import { LegacyDataRepository } from '../legacy-data-repository.ts';
import { LegacyItem } from '../legacy-item.ts';

const exported = { DataRepository: LegacyDataRepository, Item: LegacyItem };

export default exported;
export { exported as 'module.exports' };
