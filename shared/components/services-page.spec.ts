import { expect } from 'chai';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.ts';
import { openData, type Data } from '../../test/support/open-data.ts';
import { toServiceError } from '#service/errors.ts';
import { createLegacyRepository } from '#service/legacy/legacy-data-repository.ts';
import { createListeners } from '#service/legacy/listeners.ts';
import { registerApplication } from '#service/legacy/register-application.ts';
import type { Handler, ServiceRequest } from '#service/request.ts';
import { buildScope } from './build-scope.ts';

const definitions = [
  { name: 'customer', namespace: 'shop', key: ['id'], properties: [{ name: 'id', type: 0 }, { name: 'name', type: 0 }] },
  {
    name: 'order', namespace: 'shop', key: ['id'],
    properties: [{ name: 'id', type: 0 }, { name: 'town', type: 0 }, { name: 'customer', type: 13, refClass: 'customer', nullable: true }],
  },
]; // prettier-ignore

describe('docs/services.md', () => {
  let folder: string;
  let data: Data;
  let unregister = () => {};
  let page: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'portico-page-')));
    page = await readFile(new URL('../../docs/services.md', import.meta.url), 'utf8');
    data = await openData(definitions);
    await data.repo.create('customer@shop', { id: 'c', name: 'Ann' });
    await data.repo.create('order@shop', { id: 'o1', town: 'here', customer: 'c' });
    await data.repo.create('order@shop', { id: 'o2', town: 'there' });
  });
  afterEach(async () => {
    unregister();
    await data.close();
    await rm(folder, { recursive: true });
  });

  const block = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';

  /** The page's deployment with one of its services, as handlers by method and path. */
  const handlersOf = async (file: string, text: string) => {
    await mkdir(join(folder, 'services'));
    await writeFile(join(folder, 'deploy.json'), block('json'));
    await writeFile(join(folder, 'services', file), text);
    const config = await loadConfig({ deployPath: folder, env: {}, cwd: folder });
    const { application, namespace, plugins, rest, registry } = config;
    unregister = registerApplication(application, { toAbsolute: (path) => path, context: () => undefined });
    const listeners = createListeners(data.classes);
    const old = () => createLegacyRepository({ repository: data.repo, classes: data.classes, listeners });
    const builtins = { components: { dataRepo: () => data.repo }, modules: {}, legacy: { dataRepo: old } };
    const log = { warn: () => {} };
    const { services } = await buildScope({ plugins, rest: rest.di, registry: registry.di, builtins, application, namespace, file: config.file, log }); // prettier-ignore
    const handlers = new Map<string, Handler>();
    await services
      .get('orders')
      ?.routes({ add: (method, path, handler) => void handlers.set(`${method} ${path}`, handler) });
    return (route: string, request: Partial<ServiceRequest>): Promise<unknown> =>
      Promise.resolve(
        handlers.get(route)?.({ params: {}, query: {}, user: null, stream: {}, ...request } as ServiceRequest),
      ).then(
        (result) => JSON.parse(JSON.stringify(result)) as unknown,
        (error: unknown) => [toServiceError(error).status, toServiceError(error).publicText],
      );
  };

  it('shows a TypeScript service that works', async () => {
    const call = await handlersOf('orders.ts', block('ts'));
    expect(await call('GET /', { query: { town: 'there' } })).to.have.length(1);
    expect(await call('GET /', {})).to.have.length(2);
    expect(await call('GET /:id', { params: { id: 'o1' } })).to.have.nested.property('data.town', 'here');
    expect(await call('GET /:id', { params: { id: 'none' } })).to.deep.equal([404, 'There is no such order']);
  });

  it('shows a service of older installations that works', async () => {
    const call = await handlersOf('orders.js', block('js'));
    expect(await call('POST /', { body: { town: 'here' } })).to.deep.equal({ data: [{ id: 'o1', customer: 'Ann' }] });
    expect(await call('POST /', {})).to.deep.equal([403, 'Access denied']);
  });
});
