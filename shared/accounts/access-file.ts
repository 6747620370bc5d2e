import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { qualify } from './identity.ts';
import { isKnownHash } from './password.ts';

/** A user of an access file. Neither password: nobody can sign in to it. */
export interface FileUser {
  readonly identity: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly disabled: boolean;
  readonly needPasswordReset: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly password?: string;
  readonly passwordHash?: string;
}

export interface FileRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
}

/** What all files say together. `source` is the file, for explanations: `acl/demo.yml`. */
export interface AccessList {
  readonly users: readonly { readonly user: FileUser; readonly source: string }[];
  readonly roles: readonly { readonly role: FileRole; readonly source: string }[];
  readonly warnings: readonly string[];
}

const word = z.union([z.string(), z.number()]).transform(String);
const words = z.union([word.transform((one) => [one]), z.array(word)]).nullish().transform((list) => list ?? []); // prettier-ignore
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

const userForm = z
  .object({
    id: word.pipe(z.string().min(1)),
    type: word.default('local'),
    name: word.nullish(),
    pwd: z.union([word, z.object({ hash: z.string() })]).nullish(),
    'pwd.hash': z.string().nullish(),
    roles: words,
    disabled: flag,
    needPwdReset: flag,
    properties: z.record(z.string(), z.json()).nullish(),
  })
  .superRefine((user, context) => {
    const hash = hashOf(user);
    if (hash !== undefined && !isKnownHash(hash)) {
      context.addIssue({ code: 'custom', path: ['pwd', 'hash'], message: 'this form of hash is not known' });
    }
  })
  .transform((user): FileUser => {
    const hash = hashOf(user);
    return {
      identity: qualify(user.id, user.type),
      name: user.name ?? user.id,
      roles: user.roles,
      disabled: user.disabled,
      needPasswordReset: user.needPwdReset,
      properties: user.properties ?? {},
      ...(typeof user.pwd === 'string' ? { password: user.pwd } : {}),
      ...(hash === undefined ? {} : { passwordHash: hash }),
    };
  });

const hashOf = (user: { readonly pwd?: unknown; readonly 'pwd.hash'?: string | null | undefined }): string | undefined =>
  typeof user.pwd === 'object' && user.pwd !== null ? (user.pwd as { hash: string }).hash : (user['pwd.hash'] ?? undefined); // prettier-ignore

const roleForm = z
  .object({
    id: word.pipe(z.string().min(1)),
    name: word.nullish(),
    permissions: z.record(z.string(), words).nullish(),
  })
  .transform(({ id, name, permissions }): FileRole => ({ id, name: name ?? id, permissions: permissions ?? {} }));

const fileForm = z.object({ users: z.array(userForm).nullish(), roles: z.array(roleForm).nullish() });

/** One file: `users` and `roles`, or a bare user at the top. Every fault is named with its place. */
export function readAccessFile(
  text: string,
  source: string,
): { users: readonly FileUser[]; roles: readonly FileRole[] } {
  let raw: unknown;
  try {
    raw = source.endsWith('.json') ? JSON.parse(text) : parseYaml(text);
  } catch (cause) {
    throw new Error(`${source}: ${(cause as Error).message}`, { cause });
  }
  const bare = typeof raw === 'object' && raw !== null && 'id' in raw && !('users' in raw) && !('roles' in raw);
  const read = fileForm.safeParse(bare ? { users: [raw] } : (raw ?? {}));
  if (!read.success) {
    const faults = read.error.issues.map((issue) => `${source}: ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(faults.join('\n'));
  }
  return { users: read.data.users ?? [], roles: read.data.roles ?? [] };
}

const isOverride = (name: string) => /\.override\.\w+$/.test(name);

/** All access files of an application, by name; those called `*.override.*` come last. No folder: an empty list. */
export async function readAccessFiles(application: string): Promise<AccessList> {
  const found = await readdir(join(application, 'acl')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = found.filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const ordered = [...names.filter((name) => !isOverride(name)), ...names.filter(isOverride)];
  const users = new Map<string, AccessList['users'][number]>();
  const roles = new Map<string, AccessList['roles'][number]>();
  const warnings: string[] = [];
  for (const name of ordered) {
    const source = `acl/${name}`;
    const file = readAccessFile((await readFile(join(application, source), 'utf8')).replace(/^\uFEFF/, ''), source);
    for (const user of file.users) {
      const held = users.get(user.identity);
      if (held && !isOverride(name)) warnings.push(`${source} replaces ${user.identity} of ${held.source}`);
      users.set(user.identity, { user, source });
    }
    for (const role of file.roles) roles.set(role.id, mergeRole(roles.get(role.id), role, source));
  }
  return { users: [...users.values()], roles: [...roles.values()], warnings };
}

/** A role that several files speak of has what any of them gives. */
function mergeRole(held: AccessList['roles'][number] | undefined, role: FileRole, source: string) {
  if (!held) return { role, source };
  const permissions: Record<string, readonly string[]> = { ...held.role.permissions };
  for (const [resource, given] of Object.entries(role.permissions)) {
    permissions[resource] = [...new Set([...(permissions[resource] ?? []), ...given])];
  }
  return { role: { ...held.role, permissions }, source: `${held.source}, ${source}` };
}
