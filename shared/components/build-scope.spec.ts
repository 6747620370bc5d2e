import { expect } from 'chai';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigError } from '#config/config-error.ts';
import type { ComponentDefinitions } from '#config/config.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
import { Service, type Routes } from '#service/service.ts';
import { buildScope } from './build-scope.ts';
import type { Builtins } from './scope.ts';

class Crud extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/', () => 'crud');
  }
}
class Token extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/', () => 'token');
  }
}

const builtins: Builtins = {
  components: {
    dataRepo: (options) => ({ is: 'dataRepo', options }),
    auth: (options, module) => ({ is: 'auth', options, module }),
    accounts: (options) => ({ is: 'accounts', options }),
    workflows: () => ({ is: 'workflows' }),
    fileStorage: (options) => ({ is: 'files', options }),
    aclProvider: (options) => ({ is: 'acl', options }),
  },
  modules: {
    'modules/rest/lib/impl/crud': Crud,
    'modules/rest/lib/impl/workflows': Crud,
    'modules/rest/lib/impl/token': Token,
  },
  legacy: { dataRepo: () => ({ is: 'old dataRepo' }) },
};

/** A class that shows its options. */
const shower = 'export default class { constructor(options) { this.options = options; } }';
const service = `import { Service } from 'portico'; export default class extends Service { routes() {} }`;

describe('buildScope', () => {
  let folder: string;
  let unregister: () => void;
  beforeEach(async () => {
    const parent = await realpath(await mkdtemp(join(tmpdir(), 'portico-scope-')));
    folder = join(parent, 'shop');
    await mkdir(folder);
    unregister = registerApplication(folder, { toAbsolute: (path) => path, context: () => undefined });
  });
  afterEach(async () => {
    unregister();
    await rm(dirname(folder), { recursive: true });
  });

  const write = async (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  interface Definitions {
    readonly plugins?: ComponentDefinitions;
    readonly rest?: ComponentDefinitions;
    readonly registry?: ComponentDefinitions;
  }
  const build = async ({ plugins = {}, rest = {}, registry = {} }: Definitions) => {
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    const parts = { plugins, rest, registry, builtins, log };
    const built = await buildScope({ ...parts, application: folder, namespace: 'shop-ns', file: 'deploy.json' });
    expect(built.warnings).to.deep.equal(warnings);
    return {
      ...built,
      get: (name: string) => built.scope.get(name) as { options: Record<string, unknown> } & Record<string, unknown>,
    };
  };
  const faultsOf = async (definitions: Definitions) => {
    const thrown: unknown = await build(definitions).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(ConfigError);
    return (thrown as ConfigError).faults.map(({ path, message }) => `${path}: ${message}`);
  };

  it('gives services, and keeps what is no service out of the addresses', async () => {
    await write({ 'a.ts': service, 'converter.ts': shower });
    const { services, get } = await build({
      rest: { a: { module: './a' }, c: { module: './converter', options: { x: 1 } } },
    });
    expect([...services.keys()]).to.deep.equal(['a', 'token']);
    expect(get('c').options).to.deep.equal({ x: 1 });
  });

  it('gives the token service without registration, merged over when it is registered', async () => {
    expect((await build({})).services.get('token')).to.be.instanceOf(Token);
    const { services } = await build({ rest: { token: { options: { ttl: 1 } } } });
    expect(services.get('token')?.options).to.deep.equal({ ttl: 1 });
  });

  for (const path of [
    'applications/shop/x',
    'applications/shop-ns/x',
    'applications/packaged/x',
    './x',
    './x.ts',
    'applications/beside/y',
  ])
    it(`finds the module ${path}`, async () => {
      await write({
        'x.ts': service,
        '../beside/y/index.js': `module.exports = class { it = 'y' }`,
        'package.json': '{"name":"packaged"}',
      });
      expect((await build({ plugins: { a: { module: path } } })).get('a')).to.be.an('object');
    });

  for (const path of [
    '../beside/y',
    './sub/../../beside/y',
    '/etc/passwd',
    'applications/../x',
    './link/y',
    './link.js',
  ])
    it(`refuses the module ${path}`, async () => {
      await write({ '../beside/y.js': service });
      await symlink(join(folder, '../beside'), join(folder, 'link'));
      await symlink(join(folder, '../beside/y.js'), join(folder, 'link.js'));
      expect(await faultsOf({ plugins: { a: { module: path } } }))
        .to.have.length(1)
        .and.to.match(/leads out of the application/);
    });

  it('never takes modules/, core/ and lib/ from disk', async () => {
    await write({ 'lib/x.js': shower, 'applications/lib/x.js': shower });
    const { warnings, scope } = await build({ plugins: { a: { module: 'lib/x' } } });
    expect(scope.get('a')).to.equal(undefined);
    expect(warnings).to.deep.equal(['component a is left out: lib/x has no counterpart here']);
  });

  it('knows built-in modules by both names', async () => {
    for (const module of ['modules/rest/lib/impl/crud', '@any-scope/rest/lib/impl/crud'])
      expect((await build({ rest: { crud: { module } } })).services.get('crud')).to.be.instanceOf(Crud);
    expect((await build({ plugins: { auth: { module: '@any/auth' } } })).get('auth')['module']).to.equal('lib/auth');
  });

  it('resolves references of any scheme, deep in options, and leaves addresses and texts alone', async () => {
    await write({ 'x.ts': shower });
    const options = {
      list: ['any-word://dataRepo', { deep: 'x+y.z-1://auth' }],
      url: 'https://dataRepo', mongo: 'mongodb://db', redis: 'redis://r', text: 'see ion://dataRepo', file: 'file:///etc/x', near: 'file://data/y',
    }; // prettier-ignore
    const { get } = await build({ plugins: { a: { module: './x', options } } });
    const made = get('a').options;
    expect(made['list']).to.deep.include.members([get('dataRepo'), { deep: get('auth') }]);
    expect(made).to.include({ url: 'https://dataRepo', mongo: 'mongodb://db', redis: 'redis://r', text: 'see ion://dataRepo', file: '/etc/x', near: join(folder, 'data/y') }); // prettier-ignore
  });

  it('names component, option and known names for an unknown reference', async () => {
    await write({ 'x.ts': shower });
    const [fault, ...more] = await faultsOf({
      plugins: { a: { module: './x', options: { deep: { repo: 'ion://dataRepro' } } } },
    });
    expect(fault).to.match(
      /^globals\.plugins\.a\.options\.deep\.repo: component a refers to dataRepro, .*accounts, .*dataRepo, /,
    );
    expect(more).to.deep.equal([]);
  });

  it('shows an eager cycle, and lets a lazy reference be part of one', async () => {
    await write({
      'x.ts': `${shower.slice(0, -2)} ask() { return this.options.other.name(); } name() { return 'x'; } }`,
    });
    const [first, second] = ['a', 'b'].map((name) => ({ module: './x', options: { other: `ion://${name}` } }));
    const faults = await faultsOf({ plugins: { b: first!, a: second! } });
    expect(faults).to.have.length(1);
    expect(faults[0]).to.contain('b → a → b').and.contain('globals.plugins.a.options.other');
    const { get } = await build({ plugins: { a: second!, b: { module: './x', options: { other: 'lazy://a' } } } });
    expect((get('b')['ask'] as () => string).call(get('b'))).to.equal('x');
  });

  it('lets a service have the name of the component that it uses', async () => {
    const rest = { workflows: { module: 'modules/rest/lib/impl/workflows', options: { workflow: 'ion://workflows' } } };
    expect((await build({ rest })).services.get('workflows')?.options).to.deep.include({
      workflow: { is: 'workflows' },
    });
  });

  it('gives built-in services what they are not given', async () => {
    const rest = { crud: { module: 'modules/rest/lib/impl/crud', options: { auth: 'own', access: 'unchecked' } } };
    const { services, get } = await build({ rest });
    expect(services.get('crud')?.options).to.deep.equal({
      auth: 'own', access: 'unchecked', dataRepo: get('dataRepo'), fileStorage: get('fileStorage'), workflow: get('workflows'),
    }); // prettier-ignore
  });

  it('changes only the options of a built-in component without a module', async () => {
    const { get } = await build({ plugins: { accounts: { options: { caseInsensitiveLogin: true } } } });
    expect(get('accounts')).to.deep.equal({ is: 'accounts', options: { caseInsensitiveLogin: true } });
  });

  it('keeps the built-in component where its replacement has no counterpart, with one warning', async () => {
    const { get, warnings } = await build({
      plugins: { fileStorage: { module: 'core/impl/resource/CloudStorage', options: { url: 'x' } } },
    });
    expect(get('fileStorage')).to.deep.equal({ is: 'files', options: {} });
    expect(warnings).to.deep.equal([
      'the built-in fileStorage stays: core/impl/resource/CloudStorage has no counterpart here',
    ]);
  });

  it('replaces a built-in component by one of the application', async () => {
    await write({ 'x.ts': shower });
    expect(
      (await build({ plugins: { fileStorage: { module: './x', options: { a: 1 } } } })).get('fileStorage').options,
    ).to.deep.equal({ a: 1 });
  });

  it('leaves out, with a warning each, what cannot be loaded and what refers to it', async () => {
    await write({ 'x.ts': shower, 'broken.js': 'throw new Error("no luck")' });
    const { warnings, scope, get } = await build({
      plugins: {
        broken: { module: './broken' },
        needs: { module: './x', options: { it: 'ion://broken' } },
        later: { module: './x', options: { it: 'lazy://needs' } },
        old: { module: './x', options: { bg: 'ion://background' } },
        aclProvider: { options: { it: 'ion://broken' } },
        fine: { module: './x' },
      },
    });
    expect(scope.names).to.not.include.members(['broken', 'needs', 'later', 'old']);
    expect(scope.names).to.include('fine');
    expect(get('aclProvider')['is']).to.equal('acl');
    expect(warnings.map((one) => one.slice(0, 40))).to.deep.equal([
      'component broken is left out: the module', 'the built-in aclProvider goes without br', 'component needs is left out: needs refer', 'component old is left out: old refers to',
      'component later is left out: later refer',
    ]); // prettier-ignore
  });

  it('does not start without a service, a gateway or oauth', async () => {
    await write({ 'x.ts': service, 'broken.js': 'throw new Error("no luck")' });
    const faults = await faultsOf({
      plugins: { broken: { module: './broken' }, oauth: { module: './none' } },
      rest: {
        a: { module: './none' },
        b: { module: './x', options: { it: 'ion://broken' } },
        c: {},
        d: { module: './broken' },
      },
      registry: {
        gate: { module: 'modules/rest/client/GateWay', options: { log: 'ion://nobody' } },
        other: { module: './none' },
      },
    });
    expect(faults.map((fault) => fault.split(':')[0])).to.deep.equal([
      'globals.plugins.oauth.module', 'modules.rest.globals.di.a.module', 'modules.rest.globals.di.b.options.it',
      'modules.rest.globals.di.c', 'modules.rest.globals.di.d.module', 'modules.registry.globals.di.gate.options.log',
    ]); // prettier-ignore
  });

  it('builds inline components and registers them by name', async () => {
    await write({ 'x.ts': shower });
    const options = { inner: { name: 'tool', module: './x', options: { repo: 'ion://dataRepo' } } };
    const { get } = await build({
      plugins: { user: { module: './x', options: { it: 'ion://tool' } }, a: { module: './x', options } },
    });
    expect(get('user').options['it']).to.equal(get('tool')).and.to.equal(get('a').options['inner']);
    expect(get('tool').options['repo']).to.equal(get('dataRepo'));
  });

  it('calls executables with their options', async () => {
    await write({
      'run.js': 'module.exports = (options) => ({ made: options.a })',
      'later.mjs': 'export default async ({ a }) => a',
    });
    const { get } = await build({
      plugins: { a: { executable: './run', options: { a: 1 } }, b: { executable: './later', options: { a: 2 } } },
    });
    expect([get('a'), get('b')]).to.deep.equal([{ made: 1 }, 2]);
  });

  it('calls init methods by level, awaited, with the scope; _initialization last', async () => {
    await write({
      'x.ts': `export default class { constructor(options) { this.options = options; }
        async init(scope) { await 1; scope.log.lines.push(this.options.name); } }`,
      'last.ts': `export default class { _initialization(scope) { scope.log.lines.push('last ' + Object.keys(scope).includes('dataRepo')); } }`,
      'log.ts': 'export default class { lines = []; }',
    });
    const part = (name: string, initLevel?: number) => ({
      module: './x',
      initMethod: 'init',
      options: { name },
      ...(initLevel === undefined ? {} : { initLevel }),
    });
    const { get, warnings } = await build({
      plugins: {
        z: { module: './last' },
        a: part('a', 3),
        b: part('b'),
        c: part('c', -1),
        d: part('d'),
        log: { module: './log' },
        auth: { initMethod: 'init' },
      },
    });
    expect(get('log')['lines']).to.deep.equal(['c', 'b', 'd', 'a', 'last true']);
    expect(warnings).to.deep.equal([]);
  });

  it('leaves out what fails to initialize, and what refers to it', async () => {
    await write({ 'x.ts': `${shower.slice(0, -2)} init() { throw new Error('no luck'); } }`, 'y.ts': shower });
    const plugins = {
      a: { module: './x', initMethod: 'init' },
      b: { module: './y', options: { it: 'ion://a' } },
      c: { module: './y', initMethod: 'none' },
    };
    const { scope, warnings } = await build({ plugins });
    expect(scope.names).to.not.include.members(['a', 'b', 'c']);
    expect(warnings).to.have.length(3).and.to.include('component a is left out: a.init: no luck');
  });

  it('hands the old objects to old-style code and the new ones to new code', async () => {
    await write({
      'old.cjs': `const Service = require('modules/rest/lib/interfaces/Service');
        function X(options) { this._route = function (router) { this.addHandler(router, '/', 'GET', () => options.dataRepo.is); }; }
        X.prototype = new Service(); module.exports = X;`,
      'plain.cjs': 'module.exports = function (options) { this.options = options; }',
      'new.cjs': `const { Service } = require('portico'); module.exports = class extends Service { routes() {} };`,
    });
    const options = { dataRepo: 'ion://dataRepo' };
    const { services, get } = await build({
      plugins: { plain: { module: './plain', options } },
      rest: { old: { module: './old', options }, fresh: { module: './new', options } },
    });
    expect(get('plain').options['dataRepo']).to.deep.equal({ is: 'old dataRepo' });
    expect(services.get('fresh')?.options['dataRepo']).to.equal(get('dataRepo'));
    const answers: unknown[] = [];
    await services.get('old')?.routes({ add: (_, __, handler) => void answers.push(handler) });
    expect(await (answers[0] as (request: object) => Promise<unknown>)({ stream: {} })).to.include({
      data: 'old dataRepo',
    });
  });

  it('lets well-known components without a counterpart be referred to, and says so when they are used', async () => {
    await write({ 'x.ts': `${shower.slice(0, -2)} use() { return this.options.db.find(); } }` });
    const { get } = await build({ plugins: { a: { module: './x', options: { db: 'ion://Db' } } } });
    expect(() => (get('a')['use'] as () => unknown).call(get('a'))).to.throw("'Db.find' is not offered here");
  });

  it('gives gateways by their module, with their options', async () => {
    const options = { base: '/api', auth: 'ion://auth' };
    const { gateways, get } = await build({
      registry: {
        any: { module: '@x/rest/client/GateWay.js', initMethod: 'init', options },
        page: { module: './none' },
      },
    });
    expect([...gateways]).to.deep.equal([['any', { base: '/api', auth: get('auth') }]]);
  });
});
