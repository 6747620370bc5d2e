import { expect } from 'chai';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { silentLog } from '#log.ts';
import type { Handler, ServiceRequest } from '../request.ts';
import { Service } from '../service.ts';
import { adaptLegacyService } from './adapt-service.ts';
import { isLegacyService } from './legacy-service.ts';
import { registerApplication } from './register-application.ts';

const request = (more: Partial<ServiceRequest> = {}): ServiceRequest => ({
  method: 'POST', path: '/', originalUrl: '/rest/x/', params: {}, query: {}, headers: {}, get: () => '', ip: '127.0.0.1',
  body: undefined, files: {}, user: null, id: 'id', signal: new AbortController().signal, log: silentLog,
  stream: Readable.from(['by', 'tes']), ...more,
}); // prettier-ignore

describe('code of an application', () => {
  let folder: string;
  let unregister: () => void;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'portico-legacy-')));
    unregister = registerApplication(folder, {
      toAbsolute: (path) => join(folder, path),
      context: (name) => (name === 'rest' ? { it: 'works' } : undefined),
    });
  });
  afterEach(async () => {
    unregister();
    await rm(folder, { recursive: true });
  });

  const write = async (name: string, text: string) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return pathToFileURL(file).href;
  };
  const load = async (name: string, text: string) =>
    ((await import(await write(name, text))) as { default: unknown }).default;
  const value = (expression: string, name = 'value.cjs') => load(name, `module.exports = ${expression};`);
  const construct = async (text: string, options = {}, name = 'service.js') =>
    new ((await load(name, text)) as new (options: object) => unknown)(options);

  const routesOf = async (instance: unknown, log = silentLog) => {
    if (!isLegacyService(instance)) throw new Error('no old-style service');
    const handlers = new Map<string, Handler>();
    const service = adaptLegacyService('x', instance, {}, log);
    await service.routes({ add: (method, path, handler) => void handlers.set(`${method} ${path}`, handler) });
    return handlers;
  };

  it('gets a service by prototype, whose handlers become routes with their results', async () => {
    const handlers = await routesOf(
      await construct(
        `const Service = require('modules/rest/lib/interfaces/Service');
         function Echo(options) {
           this._route = function (router) {
             this.addHandler(router, '/', 'POST', (req) => Promise.resolve({ data: [options.word, req.body] }));
             this.addHandler(router, '/:id', 'search', (req) => 'hello ' + req.params.id);
             this.addHandler(router, '/a/:x?/*', 'GET', () => 1);
           };
         }
         Echo.prototype = new Service();
         module.exports = Echo;`,
        { word: 'hi' },
      ),
    );
    expect([...handlers.keys()]).to.deep.equal(['POST /', 'SEARCH /:id', 'GET /a{/:x}/*path']);
    expect(await handlers.get('POST /')?.(request({ body: 1 }))).to.deep.equal({ data: ['hi', 1] });
    expect(await handlers.get('SEARCH /:id')?.(request({ params: { id: '7' } }))).to.deep.equal({
      data: 'hello 7',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
  });

  it('gets a service by Service.call, by class, by the scoped name, and with a promise of its routes', async () => {
    const add = `this.addHandler(router, '/', 'GET', () => 1)`;
    for (const text of [
      `const Service = require('@any/rest/lib/interfaces/Service');
       function X() { Service.call(this); this._route = async function (router) { await 1; ${add}; }; }
       require('util').inherits(X, Service); module.exports = X;`,
      `const Service = require('modules/rest/lib/interfaces/Service.js');
       module.exports = class extends Service { _route(router) { ${add}; } };`,
      `import Service from 'modules/rest/lib/interfaces/Service';
       export default class extends Service { route(router) { ${add}; } }`,
    ]) {
      const name = `${Math.random()}.js`;
      expect([...(await routesOf(await construct(text, {}, name))).keys()]).to.deep.equal(['GET /']);
    }
  });

  it('serves _handle alone as POST at the root and warns once', async () => {
    const warnings: string[] = [];
    const instance = await construct(
      `const Service = require('modules/rest/lib/interfaces/Service');
       module.exports = function () { this._handle = (req) => ({ data: req.get('a') }); };
       module.exports.prototype = new Service();`,
    );
    const handlers = await routesOf(instance, { ...silentLog, warn: (message) => void warnings.push(message) });
    expect(await handlers.get('POST /')?.(request({ get: (name) => `${name}!` }))).to.deep.equal({
      data: 'a!',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
    expect(warnings).to.deep.equal(['service x defines only _handle: it is served as POST at its root']);
  });

  it('serves an overridden route with handlers of request and response', async () => {
    const instance = await construct(
      `const Service = require('modules/rest/lib/interfaces/Service');
       class X extends Service {
         route(router) {
           router.get('/ok', (req, res) => res.status(201).set('X-A', 'b').json({ a: 1 }));
           router.put('/no', (req, res, next) => next(Object.assign(new Error('no'), { code: 409 })));
         }
       }
       module.exports = X;`,
    );
    const handlers = await routesOf(instance);
    expect(await handlers.get('GET /ok')?.(request())).to.deep.equal({
      data: '{"a":1}', status: 201, headers: { 'X-A': 'b', 'Content-Type': 'application/json; charset=utf-8' },
    }); // prettier-ignore
    const thrown = await Promise.resolve(handlers.get('PUT /no')?.(request())).catch((error: unknown) => error);
    expect(thrown).to.include({ code: 409 });
  });

  it('hands old services a request that is a stream too, and lets them hang things on it', async () => {
    const instance = await construct(
      `const Service = require('modules/rest/lib/interfaces/Service');
       module.exports = function () {
         this._route = (router) => this.addHandler(router, '/', 'POST', (req) => new Promise((done) => {
           req.mine = ''; req.setEncoding('utf8');
           req.on('data', (part) => { req.mine += part; }); req.on('end', () => done([req.mine, req.method]));
         }));
       };
       module.exports.prototype = new Service();`,
    );
    expect(await (await routesOf(instance)).get('POST /')?.(request())).to.deep.equal(['bytes', 'POST']);
  });

  it('keeps the Content-Type that an old service gives with its string', async () => {
    const instance = await construct(
      `const Service = require('modules/rest/lib/interfaces/Service');
       module.exports = class extends Service { _route(r) {
         this.addHandler(r, '/', 'GET', () => ({ data: '<a/>', headers: ['Content-Type: text/xml'] })); } };`,
    );
    expect(await (await routesOf(instance)).get('GET /')?.(request())).to.deep.equal({
      data: '<a/>',
      headers: ['Content-Type: text/xml'],
    });
  });

  it("finds 'portico' wherever it lies, as TypeScript, ESM and CommonJS", async () => {
    const made = await construct(
      `import { Service, type Routes } from 'portico';
       export default class X extends Service<{ a: number }> { override routes(routes: Routes) { routes.add('GET', '/', () => this.options.a); } }`,
      { a: 7 },
      'deep/x.ts',
    );
    expect(made).to.be.instanceOf(Service);
    expect(await value(`require('portico').Service`)).to.equal(Service);
  });

  it('makes errors with code, params, cause, message and JSON', async () => {
    const errors = (await value(
      `(() => { const E = require('core/IonError'); const { ACCESS_DENIED } = require('core/errors/front-end');
        return [new E(ACCESS_DENIED), new E(400, 'Wrong request'), new E('x', { a: 1 }, new Error('why'))]; })()`,
    )) as (Error & { getMessage(language?: string): string })[];
    expect(errors.map((error) => error.getMessage('ru'))).to.deep.equal(['Access denied', 'Wrong request', 'why']);
    expect(errors[0]).to.be.instanceOf(Error).and.to.include({ code: 'front-end.403' });
    expect(JSON.stringify(errors[2])).to.equal('{"code":"x","params":{"a":1}}');
  });

  it('offers the constants and small helpers by their old names', async () => {
    expect(
      await value(`[require('core/FunctionCodes').EQUAL, require('core/PropertyTypes').GEO, require('core/UserTypes').LOCAL,
      require('core/Permissions').fromBitMask(9, true), require('core/errors/data-repo').ITEM_NOT_FOUND,
      require('core/errors/meta-repo').NO_CLASS, typeof require('core/interfaces/DataRepository').Item,
      require('core/di').context('rest').it, require('core/system').toAbsolute('x/y')]`),
    ).to.deep.equal([
      'eq',
      100,
      'local',
      ['read', 'use'],
      'data-repo.inf',
      'meta-repo.nc',
      'function',
      'works',
      join(folder, 'x/y'),
    ]);
    const lines: string[] = [];
    const logger = (await value(
      `(write) => { const P = require('core/impl/log/LoggerProxy'); function L() { this._warn = write; } L.prototype = new P(); return new L(); }`,
      'log.cjs',
    )) as (write: (line: string) => void) => { warn(line: string): void; info(line: string): void };
    const made = logger((line) => void lines.push(line));
    made.warn('careful');
    made.info('nobody listens');
    expect(lines).to.deep.equal(['careful']);
  });

  it('finds the packages that the old core brought, and its own before them', async () => {
    expect(
      await value(`[require('lodash').chunk([1, 2], 1), require('moment').isMoment(require('moment')()), require('js-yaml').safeLoad('a: [1]'),
      require('clone')({ a: { b: 1 } }), require('merge').recursive(true, { a: { b: 1 } }, { a: { c: 2 } }), typeof require('uuid').v4(), require('uuid/v4')().length]`),
    ).to.deep.equal([[[1], [2]], true, { a: [1] }, { a: { b: 1 } }, { a: { b: 1, c: 2 } }, 'string', 36]);
    await write('sub/node_modules/clone/index.js', `module.exports = 'its own';`);
    expect(await value(`require('clone')`, 'sub/own.cjs')).to.equal('its own');
  });

  it('names what is missing: a module of the old root, a package', async () => {
    const messageOf = (expression: string, name: string) =>
      value(expression, name).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await messageOf(`require('core/impl/mail')`, 'm1.cjs')).to.contain("'core/impl/mail' is not offered here");
    expect(await messageOf(`require('moment/locale/none')`, 'm2.cjs'))
      .to.contain("the package 'moment'")
      .and.contain(folder);
    expect(await messageOf(`require('left-pad-of-nobody')`, 'm3.cjs')).to.contain('left-pad-of-nobody');
  });

  it('tells CommonJS from ESM by the text where the application has no package.json, and as usual where it has', async () => {
    await write('package.json', '{"type":"module"}');
    expect(await load('esm.js', 'export default import.meta.dirname')).to.equal(folder);
    expect(await load('sub/package.json', '{}').catch(() => 'json')).to.equal('json');
    expect(await load('sub/common.js', 'module.exports = __dirname')).to.equal(join(folder, 'sub'));
  });
});

describe('code outside of applications', () => {
  it('does not find the modules of older installations', async () => {
    const name = 'core/IonError';
    const thrown: unknown = await import(name).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });
});
