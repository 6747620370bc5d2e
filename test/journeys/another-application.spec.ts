import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { basic, startPortico, type RunningPortico } from '../support/start-portico.ts';

const files: Readonly<Record<string, string>> = {
  'deploy.json': JSON.stringify({
    namespace: 'notes',
    globals: {
      plugins: {
        watcher: { module: './watcher', initMethod: 'init', options: { dataRepo: 'any+scheme.1://dataRepo' } },
      },
    },
    modules: {
      rest: {
        globals: {
          authMode: { open: 'none', typo: 'nobody-knows', absent: 'none' },
          di: {
            open: { module: './open' },
            unset: { module: './open' },
            typo: { module: './open' },
            crud: { module: 'modules/rest/lib/impl/crud', options: { dataRepo: 'any+scheme.1://dataRepo' } },
          },
        },
      },
      geomap: { globals: { anything: true } },
    },
  }),
  'meta/note.class.json': JSON.stringify({
    name: 'note',
    caption: 'Note',
    key: ['id'],
    semantic: 'text',
    properties: [
      { name: 'id', caption: 'Key', type: 12, autoassigned: true, orderNumber: 1 },
      { name: 'text', caption: 'Text', type: 0, nullable: true, orderNumber: 2 },
    ],
  }),
  'acl/access.yml':
    'users:\n  - {id: owner, type: local, pwd: owner-password, roles: [all]}\nroles:\n  - {id: all, permissions: {"*": [full]}}\n',
  'watcher.cjs': `module.exports = function (options) {
    this.init = function () {
      options.dataRepo.on('note@notes.pre-edit', function (event) {
        if (event.updates.text === 'explode') throw new Error('detail of the listener');
        if (event.updates.text === 'stamp') return { text: 'stamped' };
      });
    };
  };`,
  'open.ts': `import { Service } from 'portico';
    export default class Open extends Service {
      routes(routes) {
        routes.add('GET', '/', () => ({ fine: true }));
        routes.add('GET', '/leak', () => { void Promise.reject(new Error('a leaked rejection')); return { leaked: true }; });
        routes.add('GET', '/late', () => { setTimeout(() => { throw new Error('thrown too late'); }, 5); return { late: true }; });
      }
    }`,
};

describe('another application, by its folder', () => {
  let folder: string;
  let portico: RunningPortico;
  const owner = basic('owner@local', 'owner-password');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-notes-'));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    portico = await startPortico({ application: folder });
  });
  after(async () => {
    await portico?.stop();
    await rm(folder, { recursive: true });
  });

  const edit = (id: string, text: string) =>
    portico.fetch(`/rest/crud/note@notes/${id}`, {
      method: 'PATCH',
      headers: { ...owner, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
  const create = async () => {
    const headers = { ...owner, 'content-type': 'application/json' };
    const response = await portico.fetch('/rest/crud/note@notes', {
      method: 'POST',
      headers,
      body: '{"text":"first"}',
    });
    return ((await response.json()) as { _id: string })._id;
  };

  it('registers its services under {base_url}/rest/<service_name>, each with its own mode', async () => {
    expect((await portico.fetch('/rest/open')).status).to.equal(200);
    expect((await portico.fetch('/rest/unset')).status).to.equal(401);
    expect((await portico.fetch('/rest/unset', { headers: owner })).status).to.equal(200);
  });

  it('refuses everybody where the mode is an unknown word, and says so at start; a mode without a service opens nothing', async () => {
    expect((await portico.fetch('/rest/typo', { headers: owner })).status).to.equal(401);
    expect(portico.output()).to.include('nobody-knows');
    expect((await portico.fetch('/rest/absent')).status).to.equal(404);
  });

  it('answers 500 without details when processing a crud update fails', async () => {
    const id = await create();
    const failed = await edit(id, 'explode');
    const body = await failed.text();
    expect(failed.status).to.equal(500);
    expect(failed.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(body).to.include('Internal server error').and.not.include('detail of the listener');
    expect(portico.output()).to.include('detail of the listener');
  });

  it('lets old-style code listen to writes and add to them', async () => {
    const changed = await edit(await create(), 'stamp');
    expect(await changed.json()).to.include({ text: 'stamped', _editor: 'owner@local' });
  });

  it('survives a leaked rejection and a late throw of its code, and logs them with the request', async () => {
    for (const [path, message] of [
      ['/rest/open/leak', 'a leaked rejection'],
      ['/rest/open/late', 'thrown too late'],
    ] as const) {
      const answer = await portico.fetch(path);
      expect(answer.status).to.equal(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const line = portico
        .output()
        .split('\n')
        .find((one) => one.includes(message));
      expect(line, message).to.include(answer.headers.get('x-request-id')!);
    }
    expect((await portico.fetch('/rest/open')).status).to.equal(200);
  });
});
