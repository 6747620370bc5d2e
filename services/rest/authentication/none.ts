import type { Authenticator } from './authenticator.ts';

/** Mode `none`: everybody is nobody; credentials are not looked at. */
export const nobody: Authenticator = async () => ({ user: null });
