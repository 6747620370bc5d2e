import { expect } from 'chai';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Service, type Routes } from '#service/service.ts';
import { checkDeployment } from './check-deployment.ts';

class Crud extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/:class', () => 1);
    routes.add('DELETE', '/:class/:id', () => 1);
  }
}

describe('checkDeployment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'portico-check-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (name: string, content: unknown) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const check = async (rest: object, globals: object = {}) => {
    await write('deploy.json', { namespace: 'shop', globals, modules: { rest: { globals: rest } } });
    const modules = { 'modules/rest/lib/impl/crud': Crud };
    const { faults, ...more } = await checkDeployment({ deployPath: folder, env: {}, cwd: folder }, modules, () => {});
    return {
      ...more,
      faults: faults.map(({ file, path, message }) => `${file.replace(folder, '')} ${path}: ${message}`),
    };
  };

  it('lists services by route, mode and right, without running handlers or init methods', async () => {
    await write('old.js', `const Service = require('modules/rest/lib/interfaces/Service');
      function Old(options) { options.dataRepo.on('x', () => { throw new Error(); }); for (const one of options.dataRepo.list()) one();
        this.init = () => { throw new Error('init ran'); };
        this._route = (router) => this.addHandler(router, '/:id', 'post', () => { throw new Error('handler ran'); }); }
      Old.prototype = new Service(); module.exports = Old;`); // prettier-ignore
    const { faults, warnings, routes } = await check({
      di: {
        crud: { module: 'modules/rest/lib/impl/crud' },
        old: { module: './old', initMethod: 'init', options: { dataRepo: 'ion://dataRepo' } },
      },
      authMode: { old: ['token', 'pwd'] },
    });
    expect([faults, warnings]).to.deep.equal([[], []]);
    expect(routes).to.deep.equal([
      { service: 'crud', method: 'GET', path: '/:class', modes: ['pwd'], right: 'read on c:::<class>' },
      { service: 'crud', method: 'DELETE', path: '/:class/:id', modes: ['pwd'], right: 'delete on c:::<class>' },
      { service: 'old', method: 'POST', path: '/:id', modes: ['token', 'pwd'], right: '' },
    ]);
  });

  it('finds modes that refuse everybody, services that are not there, and what is open or unchecked', async () => {
    const crud = { module: 'modules/rest/lib/impl/crud', options: { access: 'unchecked' } };
    const { faults, warnings } = await check({
      di: { crud, b: crud, c: crud },
      authMode: { crud: 'none', b: ['pwd', 'wpd'], c: 'oauth', gone: 'pwd' },
    });
    expect(faults).to.deep.equal([
      '/deploy.json modules.rest.globals.authMode.b: there is no mode wpd: everybody is refused',
    ]);
    const at = warnings.map((warning) => warning.split(': ')[0]);
    expect(at).to.deep.equal([
      'modules.rest.globals.authMode.c', 'modules.rest.globals.authMode.gone',
      'modules.rest.globals.di.crud.options.access', 'modules.rest.globals.authMode.crud',
      'modules.rest.globals.di.b.options.access', 'modules.rest.globals.di.c.options.access',
    ]); // prettier-ignore
  });

  it('reports faults of class files, components and the configuration', async () => {
    await write('meta/a.class.json', '{');
    const { faults } = await check({ di: { a: { module: './none' } } });
    expect(faults).to.have.length(2);
    expect(faults[0]).to.contain('a.class.json');
    expect(faults[1]).to.equal('/deploy.json modules.rest.globals.di.a.module: there is no module ./none');
    expect((await check({ di: 7 })).faults).to.have.length(1);
  });
});
