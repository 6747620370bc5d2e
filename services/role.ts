/** What a process can be. `start` is all of them. */
export type Role = 'rest' | 'auth' | 'registry';

export const roles: readonly Role[] = ['rest', 'auth', 'registry'];
