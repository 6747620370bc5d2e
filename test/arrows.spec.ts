import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

/** Every room and the rooms it may import. docs/architecture.md says why. */
const ground = ['errors', 'log', 'redact'];
const allowed: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  redact: [],
  log: ['redact'],
  stores: ['query', ...ground],
  'stores/sqlite': ['stores', 'query', ...ground],
  'stores/mongo': ['stores', 'query', ...ground],
  'stores/redis': ['stores', 'query', ...ground],
  meta: ['stores', 'query/filter', ...ground],
  query: ['meta', 'stores', ...ground],
  access: ['query', 'meta', 'stores', ...ground],
  accounts: ['stores', 'config/settings', ...ground],
  tokens: ['stores', 'accounts', 'config/settings', ...ground],
  sessions: ['stores', 'config/settings', ...ground],
  data: ['access', 'query', 'meta', 'stores', 'accounts/identity', 'service/request', 'config/settings', ...ground],
  transfer: ['data', 'access/roles', 'accounts', 'query', 'meta', 'stores', ...ground],
  service: ['data', 'query', 'meta', 'access', 'accounts', 'tokens', ...ground],
  builtin: ['service', 'data', 'access', 'query', 'meta', 'stores', 'accounts', 'tokens', 'config/settings', ...ground],
  components: ['config', 'service', 'builtin', 'data', 'query', 'meta', 'access', 'accounts', ...ground],
  config: [...ground],
  http: ['pages', 'service/request', ...ground],
  pages: ['errors'],
};
const onlyOnce: readonly { readonly library: string; readonly files: RegExp }[] = [
  { library: 'node:sqlite', files: /^shared\/stores\/sqlite\// },
  { library: 'redis', files: /^shared\/stores\/redis\// },
  { library: 'mongoose', files: /^shared\/stores\/mongo\// },
  { library: 'oidc-provider', files: /^services\/auth\/oauth\// },
  { library: 'koa', files: /^(services\/(rest|auth|registry)|shared\/(http|pages))\// },
  { library: 'commander', files: /^services\/cli\// },
  { library: '@node-rs/argon2', files: /^shared\/accounts\// },
];

interface File {
  readonly path: string;
  readonly imports: readonly string[];
  readonly libraries: readonly string[];
}

const root = join(import.meta.dirname, '..');
const importing = /^(?:import|export)\s[^;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm;

function readFile(path: string): File {
  const text = readFileSync(join(root, path), 'utf8');
  const named = [...text.matchAll(importing)].map((found) => found[1] ?? found[2] ?? found[3] ?? '');
  const inside = named.flatMap((name) => {
    if (name.startsWith('#')) return [join('shared', name.slice(1))];
    return name.startsWith('.') ? [normalize(join(dirname(path), name))] : [];
  });
  return { path, imports: inside, libraries: named.filter((name) => !/^[.#]/.test(name)) };
}

const files = globSync(['shared/**/*.ts', 'services/**/*.ts'], { cwd: root })
  .filter((path) => !path.endsWith('.spec.ts'))
  .map(readFile);

/** `shared/stores/sqlite/x.ts` → `stores/sqlite`, `shared/meta/types/x.ts` → `meta`. */
function roomOf(path: string): string {
  const words = path.replace(/\.ts$/, '').split('/').slice(1);
  const adapter = words.slice(0, 2).join('/');
  return adapter in allowed ? adapter : words[0]!;
}

describe('the arrows between rooms', () => {
  it('finds the files', () => {
    expect(files.length).to.be.greaterThan(50);
  });

  for (const room of Object.keys(allowed)) {
    it(`${room} imports only what it may`, () => {
      const may = allowed[room]!;
      const wrong = files
        .filter(({ path }) => path.startsWith('shared/') && roomOf(path) === room)
        .flatMap(({ path, imports }) => imports.map((to) => ({ path, to })))
        .filter(({ to }) => to.startsWith('services/') || (roomOf(to) !== room && !may.some((one) => reaches(one, to))))
        .map(({ path, to }) => `${path} → ${to}`);
      expect(wrong).to.deep.equal([]);
    });
  }

  it('has a rule for every room', () => {
    const rooms = new Set(files.filter(({ path }) => path.startsWith('shared/')).map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => !(room in allowed))).to.deep.equal([]);
  });

  it('lets no service import another', () => {
    const wrong = files.flatMap(({ path, imports }) => {
      const own = /^services\/(rest|auth|registry|cli)\//.exec(path)?.[1];
      if (own === undefined || own === 'cli') return [];
      return imports
        .filter((to) => /^services\/(rest|auth|registry|cli)\//.test(to) && !to.startsWith(`services/${own}/`))
        .map((to) => `${path} → ${to}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('imports adapters in services/open-stores.ts alone', () => {
    const wrong = files
      .filter(({ path }) => path !== 'services/open-stores.ts')
      .flatMap(({ path, imports }) =>
        imports
          .filter((to) => /^shared\/stores\/(sqlite|mongo|redis)\//.test(to) && !path.startsWith(dirname(to)))
          .map((to) => `${path} → ${to}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it('starts and opens stores only from the command line', () => {
    const wrong = files
      .filter(({ path }) => !path.startsWith('services/cli/'))
      .flatMap(({ path, imports }) =>
        imports.filter((to) => /^services\/(serve|open-stores)\.ts$/.test(to)).map((to) => `${path} → ${to}`),
      )
      .filter((arrow) => arrow !== 'services/rooms.ts → services/open-stores.ts');
    expect(wrong).to.deep.equal([]);
  });

  for (const { library, files: place } of onlyOnce) {
    it(`keeps ${library} in its place`, () => {
      const wrong = files
        .filter(({ path, libraries }) => libraries.includes(library) && !place.test(path))
        .map(({ path }) => path);
      expect(wrong).to.deep.equal([]);
    });
  }

  it('has no cycle between files', () => {
    expect(findCycle(new Map(files.map(({ path, imports }) => [path, imports])))).to.equal(undefined);
  });

  it('reads the environment in bin alone', () => {
    const wrong = files
      .filter(({ path }) => /\bprocess\.env\b/.test(readFileSync(join(root, path), 'utf8')))
      .map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });
});

const reaches = (rule: string, to: string): boolean => to === `shared/${rule}.ts` || roomOf(to) === rule;

/** The first way from a file back to itself; imports of types count too. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path].join(' → ');
    if (done.has(path)) return undefined;
    for (const to of graph.get(path) ?? []) {
      const found = visit(to, [...way, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const found = visit(path, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
