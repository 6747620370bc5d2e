import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog } from '#log.ts';
import { openSqliteStores } from '#stores/sqlite/index.ts';
import { demo, runCli, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { bodyOf, linesOf } from '../support/transfer.ts';

const root = join(import.meta.dirname, '..', '..');
const howMany = 4000;

describe('moving data', () => {
  let portico: RunningPortico;
  let folder: string;
  const accept = (rows: readonly object[]) =>
    portico.fetch('/rest/acceptor', {
      method: 'POST',
      headers: { ...demo, 'content-type': 'application/json' },
      body: JSON.stringify(rows),
    });
  const row = (n: number) => ({ _id: `moved-${n}`, _class: 'class_string@demo', _classVer: null, string_text: `text ${n}` }); // prettier-ignore
  const secret = { PORTICO_SECRET: 'the same for both, thirty-two bytes or more' };
  const envOf = (data: string) => ({ ...process.env, ...secret, PORTICO_DATA: join(folder, data) });
  const cli = (data: string, ...args: string[]) => runCli(args, envOf(data));
  const path = (name: string) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-moving-'));
    portico = await startPortico({ data: join(folder, 'data'), env: secret });
    const rows = Array.from({ length: howMany }, (_, n) => row(n));
    for (let from = 0; from < howMany; from += 1000) expect((await accept(rows.slice(from, from + 1000))).status).to.equal(200); // prettier-ignore
    await portico.cli('user', 'disable', 'user');
    await portico.fetch('/rest/crud/section@demo/post', { method: 'DELETE', headers: demo });
  });
  after(async () => {
    await portico.stop();
    await rm(folder, { recursive: true });
  });

  it('exports while it serves, imports into a fresh folder, and goes on there with all accounts', async () => {
    const exported = await portico.cli('export', path('whole.ndjson'), '--accounts', '--hashes', '--json');
    expect(exported).to.deep.include({ code: 0, err: '' });
    const { accounts, roles, objects } = (JSON.parse(exported.out) as { exported: Record<string, number> }).exported;
    expect([accounts, roles, objects! > howMany]).to.deep.equal([4, 3, true]);
    expect((await portico.cli('export', path('whole.ndjson'))).code, 'is there').to.equal(1);

    const imported = await cli('fresh', 'import', path('whole.ndjson'));
    expect(imported).to.deep.include({ code: 0, err: '' });
    await cli('fresh', 'export', path('again.ndjson'), '--accounts', '--hashes');
    const [first, second] = await Promise.all(['whole', 'again'].map((name) => readFile(path(`${name}.ndjson`), 'utf8'))); // prettier-ignore
    expect(bodyOf(second!)).to.equal(bodyOf(first!));

    const there = await startPortico({ data: join(folder, 'fresh'), env: secret });
    try {
      expect(there.output()).to.not.match(/access files read|objects of the application imported|was changed since/);
      const get = async (from: RunningPortico) => (await from.fetch('/rest/crud/class_string@demo/moved-7', { headers: demo })).text(); // prettier-ignore
      expect(await get(there))
        .to.equal(await get(portico))
        .and.include('text 7');
      const accountList = (await there.cli('user', 'list', '--json')).out;
      expect(accountList)
        .to.equal((await portico.cli('user', 'list', '--json')).out)
        .and.include('"disabled":true');
    } finally {
      await there.stop();
    }
  }).timeout(40_000);

  it('writes to standard output without a file, and reads standard input', async () => {
    const { code, out } = await portico.cli(
      'export',
      '--class',
      'class_string',
      '--filter',
      '{"string_text":"text 42"}',
    );
    expect(code).to.equal(0);
    expect(linesOf(out).map(({ kind }) => kind)).to.deep.equal(['header', 'object', 'end']);
    const imported = await runCli(['import', '-', '--json'], envOf('piped'), out);
    expect(JSON.parse(imported.out)).to.deep.include({ imported: { created: 1, replaced: 0, same: 0, skipped: 0, files: 0, accounts: 0, roles: 0, faults: 0 } }); // prettier-ignore
  }).timeout(20_000);

  it('says what is used wrongly, and which lines could not be taken', async () => {
    for (const args of [
      ['export', '--filter', '{}'],
      ['export', '--class', 'sample', '--filter', '{'],
      ['import', 'x', '--mode', 'all'],
    ])
      // prettier-ignore
      expect((await portico.cli(...args)).code, args.join(' ')).to.equal(2);
    const file = path('broken.ndjson');
    const [header] = (await readFile(path('whole.ndjson'), 'utf8')).split('\n');
    await writeFile(file, `${header}\n{"kind":"object"}\n{"kind":"end"}\n`);
    const { code, err } = await cli('broken', 'import', file);
    expect(code).to.equal(1);
    expect(err).to.include('line 2: "id" must be text');
    expect(linesOf(await readFile(`${file}.faults.ndjson`, 'utf8'))).to.have.length(1);
  }).timeout(20_000);

  /** Gives the import a part of the file, waits until so many objects are stored, and ends it. */
  async function endHalfway(data: string, part: Buffer, after: number, signal: 'SIGKILL' | 'SIGINT'): Promise<string> {
    const child = spawn(process.execPath, [join(root, 'bin/portico.js'), 'import', '-'], { env: envOf(data), cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] }); // prettier-ignore
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString())); // prettier-ignore
    child.stdin.on('error', () => {});
    child.stdin.write(part);
    const stores = await openSqliteStores(join(folder, data), silentLog);
    while ((await stored()) < after) await new Promise((done) => setTimeout(done, 20));
    child.kill(signal);
    await once(child, 'close');
    await stores.close();
    return output;

    async function stored(): Promise<number> {
      return stores.objects.count('record@demo', { op: 'all' });
    }
  }

  it('goes on after Ctrl C and kill -9, to the same data', async () => {
    const whole = await readFile(path('whole.ndjson'));
    expect(await endHalfway('halves', whole.subarray(0, whole.length * 0.4), 500, 'SIGINT')).to.match(/stoppedAfterLine: \d+[^]*goes on from here/); // prettier-ignore
    await endHalfway('halves', whole.subarray(0, whole.length * 0.8), 2500, 'SIGKILL');
    const { code, out } = await runCli(['import', '-', '--json'], envOf('halves'), whole.toString());
    expect(code).to.equal(0);
    const { wentOnAfterLine } = JSON.parse(out) as { wentOnAfterLine: number };
    expect(wentOnAfterLine).to.be.greaterThan(1000);
    const { out: again } = await cli('halves', 'export', '--accounts', '--hashes');
    expect(bodyOf(again)).to.equal(bodyOf(whole.toString()));
  }).timeout(40_000);

  it('backs up under load: the copy starts, and has all that was acknowledged before', async () => {
    const load = { acknowledged: 0, stopped: false };
    const write = async () => {
      for (let n = 0; !load.stopped; n += 5) {
        expect((await accept(Array.from({ length: 5 }, (_, k) => row(1_000_000 + n + k)))).status).to.equal(200);
        load.acknowledged = n + 5;
      }
    };
    const writing = write();
    while (load.acknowledged < 50) await new Promise((done) => setTimeout(done, 10));
    const before = load.acknowledged;
    const backup = await portico.cli('backup', path('copy'));
    expect(backup.code, backup.err).to.equal(0);
    load.stopped = true;
    await writing;
    expect((await portico.cli('backup', path('copy'))).err).to.match(/not empty/);
    const copy = await startPortico({ data: path('copy'), env: secret });
    try {
      const at = async (n: number) => (await copy.fetch(`/rest/crud/class_string@demo/moved-${1_000_000 + n}`, { headers: demo })).status; // prettier-ignore
      for (let n = 0; n < before; n++) expect(await at(n), `object ${n} of ${before}`).to.equal(200);
      const whole = await Promise.all(Array.from({ length: 5 }, (_, k) => at(load.acknowledged - 5 + k)));
      expect(new Set(whole).size, 'no half of a batch').to.equal(1);
    } finally {
      await copy.stop();
    }
  }).timeout(40_000);

  it('does not start on stores of a newer version, and says so', async () => {
    const stores = await openSqliteStores(join(folder, 'newer'), silentLog);
    const stamp = { op: 'upsert', collection: '_portico', id: 'version', doc: { version: 2 } } as const;
    await stores.objects.write([stamp], { atomic: true });
    await stores.close();
    for (const args of [['start'], ['user', 'list'], ['upgrade'], ['export']]) {
      const { code, err } = await cli('newer', ...args);
      expect(code, args.join(' ')).to.equal(1);
      expect(err)
        .to.match(/^The stores were written by a newer Portico/m)
        .and.not.match(/ {4}at /);
    }
    expect((await cli('fresh', 'upgrade', '--dry-run', '--json')).out).to.equal('{"from":1,"to":1,"wouldRun":[]}\n');
  }).timeout(20_000);
});
