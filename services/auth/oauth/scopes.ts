/** Given when a request asks for none. */
export const defaultScope = 'self';

/** What a token can be asked for: everything the account may, single services, who one is, and staying connected. */
export const knownScopes = (
  services: readonly string[],
  more: Readonly<Record<string, readonly string[]>>,
): readonly string[] => [
  ...new Set([
    'openid',
    'profile',
    'offline_access',
    defaultScope,
    ...services.map((name) => `svc:${name}`),
    ...Object.values(more).flat(),
  ]),
];
