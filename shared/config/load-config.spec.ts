import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { loadConfig } from './load-config.ts';

describe('loadConfig', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (name: string, content: unknown) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const load = (env: Record<string, string> = {}) => loadConfig({ deployPath: folder, env, cwd: folder });
  const faultsOf = async (env: Record<string, string> = {}) => {
    const thrown: unknown = await load(env).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(ConfigError);
    return (thrown as ConfigError).faults.map(({ file, path, message }) => [file.replace(folder, ''), path, message]);
  };

  it('reads a deployment of nothing but a namespace, with every default', async () => {
    await write('deploy.json', { namespace: 'shop' });
    const config = await load();
    expect(config.application).to.equal(folder);
    expect(config.rest).to.deep.equal({ di: {}, authMode: {}, endPoint: undefined });
    expect(config.settings('rest.maxCount')).to.equal(1000);
    expect(config.installation).to.deep.include({
      port: 8888,
      publicUrl: 'http://127.0.0.1:8888',
      stores: 'sqlite',
      trustProxy: 0,
      dataFolder: join(folder, '.portico/shop'),
    });
    expect(config.warnings).to.deep.equal([]);
  });

  it('takes every part as empty that is missing or null', async () => {
    for (const part of [{}, null, { globals: null }, { globals: {} }]) {
      await write('deploy.json', { namespace: 'shop', globals: part, modules: { rest: part, registry: part } });
      const { plugins, rest, registry } = await load();
      expect([plugins, rest.di, rest.authMode, registry.di]).to.deep.equal([{}, {}, {}, {}]);
    }
  });

  it('takes the application from applications/<namespace> where that exists', async () => {
    await write('deploy.json', { namespace: 'shop' });
    await write('applications/shop/meta/x.class.json', {});
    expect((await load()).application).to.equal(join(folder, 'applications/shop'));
  });

  it('finds the application by --app, then by PORTICO_APP, then in the working folder', async () => {
    for (const name of ['a', 'b', 'c']) await write(`${name}/deploy.json`, { namespace: name });
    const cwd = join(folder, 'c');
    const env = { PORTICO_APP: '../b' };
    expect((await loadConfig({ application: '../a', env, cwd })).namespace).to.equal('a');
    expect((await loadConfig({ env, cwd })).namespace).to.equal('b');
    expect((await loadConfig({ env: {}, cwd })).namespace).to.equal('c');
  });

  it('says where it looked when there is no deploy file', async () => {
    expect(await faultsOf()).to.deep.equal([['', '', 'holds no deploy.json or deploy.yml']]);
  });

  it('merges deploy/ in, appending lists, and deploy.override.json over, replacing them', async () => {
    await write('deploy.yml', 'namespace: shop\nmodules: {rest: {globals: {authMode: {a: [pwd], b: [pwd]}}}}');
    await write('deploy/rest.json', { modules: { rest: { globals: { authMode: { a: ['token'] } } } } });
    await write('deploy/modules/rest.yml', 'globals: {authMode: {c: none}}');
    await write('deploy/modules/rest/more.json', { globals: { authMode: { d: 'oauth' } } });
    await write('deploy.override.json', { modules: { rest: { globals: { authMode: { b: ['oauth'], c: null } } } } });
    expect((await load()).rest.authMode).to.deep.equal({ a: ['pwd', 'token'], b: ['oauth'], d: 'oauth' });
  });

  it('replaces placeholders only where asked, and names what has no value in one warning', async () => {
    const rest = {
      globals: {
        endPoint: '[[rest.endPoint]]',
        authMode: { a: '[[mode.a]]', b: '[[mode.b]]', c: ['[[mode.c]]', 'pwd'] },
      },
    };
    await write('deploy.json', { namespace: 'shop', parametrised: true, modules: { rest } });
    await write('app.ini', 'mode.a=token\n[rest]\nendPoint=http://here');
    const config = await load({ MODE_A: 'oauth' });
    expect(config.rest.endPoint).to.equal('http://here');
    expect(config.rest.authMode).to.deep.equal({ a: 'oauth', c: ['pwd'] });
    expect(config.warnings).to.deep.equal(['no value for these placeholders: mode.b, mode.c']);
    await write('deploy.json', { namespace: 'shop', modules: { rest } });
    expect((await load()).rest.endPoint).to.equal('[[rest.endPoint]]');
  });

  it('looks a setting up in the environment, the ini files, deploy.json, the default', async () => {
    await write('deploy.json', {
      namespace: 'shop',
      globals: { settings: { rest: { maxCount: 1, tokenLifetime: 2 }, 'sessions.idle': 3, 'rest.cors': ['http://a'] } },
    });
    await write('app.ini', 'rest.maxCount=10\nrest.tokenLifetime=20\ndata.requireIfMatch=true');
    const { settings } = await load({ REST_MAX_COUNT: '100', REST_SCOPES: '{"crud":["data"]}' });
    expect(settings('rest.maxCount')).to.equal(100);
    expect(settings('rest.tokenLifetime')).to.equal(20);
    expect(settings('sessions.idle')).to.equal(3);
    expect(settings('sessions.absolute')).to.equal(12 * 3600);
    expect(settings('data.requireIfMatch')).to.equal(true);
    expect(settings('rest.cors')).to.deep.equal(['http://a']);
    expect(settings('rest.scopes')).to.deep.equal({ crud: ['data'] });
  });

  it('reports every fault at once, each with its file and path', async () => {
    await write('deploy.json', { modules: { rest: { globals: { di: { x: { module: 7 } } } } } });
    await write('deploy/modules/rest.json', { globals: { authMode: { x: 7 } } });
    await write('app.ini', 'sessions.idle=soon');
    expect(await faultsOf({ PORT: 'http', ACCEPTOR_MODE: 'some' })).to.deep.equal([
      ['/deploy.json', 'namespace', 'the namespace of the application is missing'],
      ['/deploy.json', 'modules.rest.globals.di.x.module', 'Invalid input: expected string, received number'],
      ['/deploy/modules/rest.json', 'modules.rest.globals.authMode.x', 'a mode word or a list of them is needed'],
      ['environment', 'PORT', '"http" is no port (0 to 65535)'],
      ['environment', 'ACCEPTOR_MODE', 'Invalid option: expected one of "atomic"|"partial"'],
      ['/*.ini', 'sessions.idle', 'Invalid input: expected number, received string'],
    ]);
  });

  it('says in which file JSON is broken', async () => {
    await write('deploy.json', { namespace: 'shop' });
    await write('deploy/x.json', '{');
    const [fault] = await faultsOf();
    expect(fault?.[0]).to.equal('/deploy/x.json');
    expect(fault?.[2]).to.match(/^cannot be parsed: /);
  });

  it('ignores modules and keys that it does not know, and warns of a setting that looks like a slip', async () => {
    const settings = { rest: { maxcount: 7 }, mine: { own: 1 } };
    const registry = { globals: { di: { odd: 7, gate: { module: 'modules/rest/client/GateWay' } } } };
    await write('deploy.json', {
      namespace: 'shop',
      globals: { settings, jobs: {} },
      modules: { geomap: 3, registry },
    });
    const config = await load();
    expect(config.warnings).to.deep.equal(['globals.settings: there is no setting rest.maxcount']);
    expect(config.registry.di).to.deep.equal({ gate: { module: 'modules/rest/client/GateWay' } });
  });

  it('reads a name of the environment from the file that NAME_FILE tells', async () => {
    await write('deploy.json', { namespace: 'shop' });
    await write('secret', `${'s'.repeat(32)}\n`);
    expect((await load({ PORTICO_SECRET_FILE: 'secret' })).installation.secret).to.equal('s'.repeat(32));
    expect(await faultsOf({ PORTICO_SECRET_FILE: 'none' })).to.deep.equal([
      ['environment', 'PORTICO_SECRET_FILE', 'none cannot be read'],
    ]);
    expect(await faultsOf({ HOST: 'a', HOST_FILE: 'secret' })).to.deep.equal([
      ['environment', 'HOST', 'set HOST or HOST_FILE, not both'],
    ]);
  });

  for (const bad of ['ftp://a', 'a.example', 'https://a/path', 'https://a/?x', 'https://u@a'])
    it(`refuses PUBLIC_URL ${bad}`, async () => {
      await write('deploy.json', { namespace: 'shop' });
      expect((await faultsOf({ PUBLIC_URL: bad }))[0]?.[1]).to.equal('PUBLIC_URL');
    });

  it('keeps PUBLIC_URL without a trailing slash', async () => {
    await write('deploy.json', { namespace: 'shop' });
    expect((await load({ PUBLIC_URL: 'https://a.example:8443/' })).installation.publicUrl).to.equal(
      'https://a.example:8443',
    );
  });

  it('takes TRUST_PROXY as a number or as networks', async () => {
    await write('deploy.json', { namespace: 'shop' });
    expect((await load({ TRUST_PROXY: '2' })).installation.trustProxy).to.equal(2);
    expect((await load({ TRUST_PROXY: '10.0.0.0/8, ::1' })).installation.trustProxy).to.deep.equal([
      '10.0.0.0/8',
      '::1',
    ]);
    expect((await faultsOf({ TRUST_PROXY: 'yes' }))[0]?.[1]).to.equal('TRUST_PROXY');
    expect((await faultsOf({ TRUST_PROXY: '10.0.0.0/40' }))[0]?.[1]).to.equal('TRUST_PROXY');
  });

  it('asks for all that servers need: both URLs and a secret of 32 bytes', async () => {
    await write('deploy.json', { namespace: 'shop' });
    const paths = async (env: Record<string, string>) => (await faultsOf(env)).map(([, path]) => path);
    expect(await paths({ MONGO_URL: 'mongodb://m' })).to.deep.equal(['PORTICO_SECRET', 'REDIS_URL']);
    expect(await paths({ PORTICO_STORES: 'servers' })).to.deep.equal(['PORTICO_SECRET', 'MONGO_URL', 'REDIS_URL']);
    const servers = { MONGO_URL: 'mongodb://m', REDIS_URL: 'redis://r' };
    expect(await paths({ ...servers, PORTICO_SECRET: 's'.repeat(31) })).to.deep.equal(['PORTICO_SECRET']);
    expect((await load({ ...servers, PORTICO_SECRET: 's'.repeat(32) })).installation.stores).to.equal('servers');
  });

  it('takes one server, a cluster or sentinels as REDIS_URL, and tells slips without the password', async () => {
    await write('deploy.json', { namespace: 'shop' });
    const servers = { MONGO_URL: 'mongodb://m', PORTICO_SECRET: 's'.repeat(32) };
    const good = ['rediss://u:p@r:1/2', 'redis://a:1,b:2', 'redis-cluster://a', 'rediss-sentinel://a,b/main'];
    for (const url of good) expect((await load({ ...servers, REDIS_URL: url })).installation.redisUrl).to.equal(url);
    for (const url of ['http://:hidden@r', 'redis://', 'redis://:hidden@a b', 'redis-other://:hidden@a']) {
      expect(await faultsOf({ ...servers, REDIS_URL: url }), url).to.deep.equal([
        ['environment', 'REDIS_URL', 'is no URL of its kind'],
      ]);
    }
    const [fault] = await faultsOf({ ...servers, REDIS_URL: 'rediss://r', REDIS_CA: '/etc/ca.pem' });
    expect(fault).to.include('holds no certificate in PEM form; a file is named by REDIS_CA_FILE');
  });

  it('names the first administrator, and refuses a password that is short', async () => {
    await write('deploy.json', { namespace: 'shop' });
    expect((await load()).installation.administrator).to.deep.equal({ identity: 'admin@local', password: undefined });
    const given = { PORTICO_ADMIN: 'root', PORTICO_ADMIN_PASSWORD: 'p'.repeat(12) };
    expect((await load(given)).installation.administrator.identity).to.equal('root@local');
    const [short] = await faultsOf({ ...given, PORTICO_ADMIN_PASSWORD: 'secret' });
    expect(short).to.deep.equal(['environment', 'PORTICO_ADMIN_PASSWORD', 'has 6 characters; 12 or more are needed']);
    expect((await faultsOf({ PORTICO_ADMIN: 'a b' }))[0]?.[1]).to.equal('PORTICO_ADMIN');
  });

  it('runs embedded in production only when that was chosen by name', async () => {
    await write('deploy.json', { namespace: 'shop' });
    expect((await faultsOf({ NODE_ENV: 'production' }))[0]?.[1]).to.equal('PORTICO_STORES');
    const chosen = await load({ NODE_ENV: 'production', PORTICO_STORES: 'sqlite' });
    expect(chosen.installation).to.deep.include({ production: true, stores: 'sqlite' });
  });

  it('refuses a demo in production and beyond loopback, unless allowed by name', async () => {
    await write('deploy.json', { namespace: 'shop', globals: { settings: { 'application.demo': true } } });
    expect((await load({ HOST: 'localhost' })).settings('application.demo')).to.equal(true);
    for (const env of [
      { PUBLIC_URL: 'https://portico.example' },
      { HOST: '0.0.0.0' },
      { HOST: 'localhost.example' },
      { NODE_ENV: 'production', PORTICO_STORES: 'sqlite' },
    ]) {
      expect((await faultsOf(env))[0]?.[1]).to.equal('application.demo');
      expect((await load({ ...env, PORTICO_ALLOW_DEMO: '1' })).installation.allowDemo).to.equal(true);
    }
  });

  it('gives a configuration that cannot be changed', async () => {
    await write('deploy.json', {
      namespace: 'shop',
      modules: { rest: { globals: { di: { a: { module: './a', options: { x: [1] } } } } } },
    });
    const config = await load();
    expect(() => (config.rest.di['a']!.options!['x'] as number[]).push(2)).to.throw(TypeError);
    expect(() => Object.assign(config.installation, { port: 1 })).to.throw(TypeError);
  });
});
