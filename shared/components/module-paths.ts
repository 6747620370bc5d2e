/** The built-in parts, by both names that deployments use: the old root's and a package's (any scope). The first is the canonical one. */
const table: readonly (readonly [canonical: string, packaged?: string])[] = [
  ...['crud', 'acceptor', 'token', 'meta', 'workflows'].map(
    (name) => [`modules/rest/lib/impl/${name}`, `rest/lib/impl/${name}`] as const,
  ),
  ['modules/rest/lib/interfaces/Service', 'rest/lib/interfaces/Service'],
  ['modules/rest/client/GateWay', 'rest/client/GateWay'],
  ['lib/oAuthAdapter', 'web/lib/oAuthAdapter'],
  ['lib/auth', 'auth'],
  ['lib/wsAuth'],
  ['lib/plugins/customProfile'],
  ['core/impl/access/DsAcl', 'acl/access/DsAcl'],
  ['core/impl/access/aclMetaMap', 'acl/access/aclMetaMap'],
  ['core/impl/resource/FsStorage'],
  ['core/impl/resource/ImageStorage'],
];

const canonical = new Map<string, string>();
for (const [name, packaged] of table) {
  canonical.set(name, name);
  if (packaged !== undefined) canonical.set(`@/${packaged}`, name);
}

/** The canonical name of a built-in module, whichever of its names is given; undefined when it is none. */
export const builtinModule = (path: string): string | undefined =>
  canonical.get(path.replace(/\.js$/, '').replace(/^@[^/]+\//, '@/'));

export const gatewayModule = 'modules/rest/client/GateWay';
export const serviceModule = (name: 'crud' | 'acceptor' | 'token' | 'meta' | 'workflows'): string =>
  `modules/rest/lib/impl/${name}`;

/** Components every deployment may refer to, registered or not. */
export const wellKnown: ReadonlySet<string> = new Set([
  'auth', 'wsAuth', 'accounts', 'aclProvider', 'actualAclProvider', 'roleAccessManager', 'dataRepo', 'securedDataRepo',
  'cachedDataRepo', 'metaRepo', 'keyProvider', 'sequenceProvider', 'workflows', 'calculator', 'fileStorage', 'imageStorage',
  'oauth', 'sysLog', 'Db', 'application', 'module', 'settings',
]); // prettier-ignore

/** Components of the old core without a counterpart here: what refers to one is skipped, as if its module were missing. */
export const withoutCounterpart: ReadonlySet<string> = new Set([
  'background', 'notifier', 'sessionHandler', 'changelogFactory', 'signManager', 'dbSync', 'scheduler', 'rtEvents',
]); // prettier-ignore
