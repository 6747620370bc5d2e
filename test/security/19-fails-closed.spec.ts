import { expect } from 'chai';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { basic, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { writeApplication } from '../support/write-application.ts';

const owner = basic('kim@local', 'kims-password');
const service = `import { Service } from 'portico';
  export default class Open extends Service { routes(routes) { routes.add('GET', '/', () => 'opened'); } }`;
const acl = {
  users: [{ id: 'kim', type: 'local', pwd: 'kims-password', roles: ['all'] }],
  roles: [{ id: 'all', permissions: { '*': ['full'] } }],
};
const crud = { module: 'modules/rest/lib/impl/crud', options: { dataRepo: 'any://dataRepo' } };

/** Words that are no mode, however they are meant; and lists that say nothing. */
const wrong: Readonly<Record<string, unknown>> = {
  word: 'nobody-knows',
  spelled: 'None',
  blank: 'none ',
  empty: '',
  list: [],
  mixed: ['none', 'nobody-knows'],
  mixed2: ['pwd', 'Token'],
  proto: '__proto__',
  constructed: 'constructor',
};

const deploy = (rest: object, registry: object = {}) => ({
  namespace: 'closed',
  modules: { rest: { globals: rest }, registry: { globals: { di: registry } } },
});

describe('19. A service that is not declared, an unknown mode, a reference that does not resolve: nothing is served openly', () => {
  const applications: Awaited<ReturnType<typeof writeApplication>>[] = [];
  let portico: RunningPortico;

  async function write(files: Readonly<Record<string, unknown>>): Promise<string> {
    const application = await writeApplication({ 'open.ts': service, 'acl/access.json': acl, ...files });
    applications.push(application);
    return application.folder;
  }

  before(async () => {
    const names = Object.keys(wrong);
    const di = Object.fromEntries([...names, 'unset'].map((name) => [name, { module: './open' }]));
    const rest = { authMode: { ...wrong, absent: 'none', crud: 'nobody-knows' }, di: { ...di, crud } };
    portico = await startPortico({ application: await write({ 'deploy.json': deploy(rest) }) });
  });
  after(async () => {
    await portico?.stop();
    for (const application of applications) await application.remove();
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await portico.fetch(path, { headers });
    return { status: response.status, text: await response.text() };
  };

  for (const [name, mode] of Object.entries(wrong))
    it(`mode ${JSON.stringify(mode)}: 401 for everybody, with and without credentials`, async () => {
      const token = (await get('/rest/token', owner)).text;
      expect(token).to.match(/^[a-z0-9]{40}$/);
      for (const headers of [{}, owner, { 'auth-token': token }, { authorization: `Bearer ${token}` }] as Record<
        string,
        string
      >[]) {
        const answer = await get(`/rest/${name}`, headers);
        expect(answer.status).to.equal(401);
        expect(answer.text).to.not.include('opened');
      }
    });

  it('a built-in service with an unknown mode is refused as well', async () => {
    expect((await get('/rest/crud/note@closed', owner)).status).to.equal(401);
  });

  it('the start says which services refuse everybody', () => {
    for (const name of Object.keys(wrong)) expect(portico.output()).to.match(new RegExp(`${name} refuses everybody`));
  });

  it('a service without a mode asks for a password', async () => {
    expect((await get('/rest/unset')).status).to.equal(401);
    expect((await get('/rest/unset', owner)).text).to.include('opened');
  });

  it('what is not declared is not served: services, built-in ones, components, other modules', async () => {
    const names = [
      'absent',
      'acceptor',
      'meta',
      'workflows',
      'echo',
      'dataRepo',
      'accounts',
      'sysLog',
      '__proto__',
      'constructor',
      'toString',
      '',
      'un%73et%00',
    ];
    for (const name of names) {
      const answer = await get(`/rest/${name}`, owner);
      expect(answer.status, name).to.equal(404);
      expect(answer.text).to.not.include('opened');
    }
    // fetch would take the dots away
    for (const path of ['/rest/.', '/rest/..', '/rest/%2e%2e', '/rest/../rest/unset', '//rest/unset', '/rest//unset'])
      expect((await sendRaw(portico.url, rawRequest(`GET ${path} HTTP/1.1`))).status, path).to.equal(404);
    for (const path of [
      '/registry-ajax-api/rest/unset',
      '/metrics',
      '/admin',
      '/debug',
      '/deploy.json',
      '/.env',
      '/rest/../deploy.json',
    ])
      expect((await get(path, owner)).status, path).to.equal(404);
  });

  const gateway = (more: object) => ({
    module: 'modules/rest/client/GateWay',
    options: { base: '/gate', clientId: 'x', definition: { paths: {} }, ...more },
  });
  /** Components of rest, or gateways of the registry, and the word by which each fault is known. */
  const faults: Readonly<Record<string, readonly [part: 'rest' | 'registry', components: object, says: string]>> = {
    'a service whose module is missing': ['rest', { lost: { module: './is-missing' } }, 'is-missing'],
    'a service whose module fails to load': ['rest', { bad: { module: './bad' } }, 'no start today'],
    'a service with a reference to nothing': [
      'rest',
      { open: { module: './open', options: { dataRepo: 'any://noSuchRepo' } } },
      'noSuchRepo',
    ],
    'a cycle of references': [
      'rest',
      {
        hen: { module: './open', options: { other: 'any://egg' } },
        egg: { module: './open', options: { other: 'any://hen' } },
      },
      'hen',
    ],
    'a module outside of the application': ['rest', { out: { module: '../../../../etc/passwd' } }, 'passwd'],
    'a gateway without a secret': ['registry', { gate: gateway({}) }, 'gate.options.clientSecret'],
    'a gateway with a path that leads elsewhere': [
      'registry',
      { elsewhere: gateway({ clientSecret: 'y', definition: { paths: { '/rest/../admin': { get: true } } } }) },
      '/rest/../admin',
    ],
  };
  const deployed = (part: 'rest' | 'registry', components: object) => ({
    'deploy.json': part === 'rest' ? deploy({ di: components }) : deploy({ di: {} }, components),
    'bad.ts': 'throw new Error("no start today");',
  });

  describe('nothing starts with', () => {
    const ends = new Map<string, string>();
    before(async () => {
      const tries = Object.entries(faults).map(async ([name, [part, components]]) => {
        const end = await startPortico({ application: await write(deployed(part, components)) }).then(
          async (running) => (await running.stop(), 'started'),
          (error: unknown) => String(error),
        );
        ends.set(name, end);
      });
      await Promise.all(tries);
    });
    for (const [name, [, , says]] of Object.entries(faults))
      it(name, () => expect(ends.get(name)).to.include('ended with 1').and.include(says));
  });

  for (const wanted of ['rest', 'registry'] as const)
    it(`check says all that is wrong with components of ${wanted}, and ends with 1`, async () => {
      const these = Object.values(faults).filter(([part]) => part === wanted);
      const components = Object.assign({}, ...these.map(([, one]) => one)) as object;
      const checked = await portico.cli('check', '--app', await write(deployed(wanted, components)));
      expect(checked.code, checked.out + checked.err).to.equal(1);
      for (const [, , says] of these) expect(checked.out + checked.err).to.include(says);
    });

  it('unknown modes: check says so and ends with 1; a good deployment ends with 0', async () => {
    const checked = await portico.cli('check');
    expect(checked.code, checked.out + checked.err).to.equal(1);
    expect(checked.out + checked.err).to.include('nobody-knows');
    const good = await write({
      'deploy.json': deploy({ authMode: { open: 'none' }, di: { open: { module: './open' } } }),
    });
    const fine = await portico.cli('check', '--app', good);
    expect(fine.code, fine.out + fine.err).to.equal(0);
  });
}).timeout(15_000);
