import { LegacyUser } from '../legacy-user.ts';

export default LegacyUser;
export { LegacyUser as 'module.exports' };
