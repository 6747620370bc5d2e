import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { interpolate, readComposeFile, root, type ComposeFile } from './compose-file.ts';

/** The loader of the Compose project, with its schema: what `docker compose config` runs. */
const loader = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2';
const given = { PUBLIC_URL: 'https://portico.example', APPLICATION: '/srv/application' };

describe('docker-compose.yml, by the loader of the Compose project', function () {
  this.timeout(180_000); // the first run builds it
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'portico-compose-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const load = async (text: string): Promise<ComposeFile> => {
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, text);
    const words = ['run', loader, '--format', 'json', '--no-interpolation', file]; // it knows no variables of the environment
    return JSON.parse((await promisify(execFile)('go', words, { cwd: folder })).stdout) as ComposeFile;
  };
  const text = interpolate(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), given);

  it('is valid, and is what the other tests read', async () => {
    const own = readComposeFile(given).services;
    const { services } = await load(text);
    expect(Object.keys(services)).to.have.members(Object.keys(own));
    for (const [name, { command, environment, entrypoint, user, read_only }] of Object.entries(services)) {
      expect(command ?? [], name).to.deep.equal(own[name]!.command ?? []);
      expect(entrypoint ?? [], name).to.deep.equal(own[name]!.entrypoint ?? []);
      expect(environment ?? {}, name).to.deep.equal(own[name]!.environment ?? {});
      expect([user, read_only], name).to.deep.equal([own[name]!.user, true]);
    }
  });

  it('would be refused with a word that Compose does not know', async () => {
    const thrown = await load(text.replace('stop_grace_period', 'stop_grace')).catch(
      (error: { stderr: string }) => error,
    );
    expect('stderr' in thrown && thrown.stderr).to.match(/failed to load project/);
  });
});
