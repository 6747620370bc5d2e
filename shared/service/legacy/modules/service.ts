import { LegacyService } from '../legacy-service.ts';

export default LegacyService;
export { LegacyService as 'module.exports' };
