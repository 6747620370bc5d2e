import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { createBench } from './bench.ts';
import { pairCases, startCase } from './cases/all.ts';
import type { PairCase } from './cases/case.ts';
import { measureStart, type StartRow } from './cases/start.ts';
import { findGenerator } from './load/generator.ts';
import { findCores } from './measure/cores.ts';
import { createCpuTime } from './measure/cpu-time.ts';
import { measurePair, type MeasureDeps } from './measure/measure-pair.ts';
import { readOptions, usage } from './options.ts';
import { profileCase } from './profile-case.ts';
import { toRow, type PairRow } from './report/row.ts';
import { toTable, warnings } from './report/table.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), [...pairCases.map(({ name }) => name), startCase]);
  if (options === 'help') {
    say(usage(pairCases));
    return 0;
  }
  const cores = findCores();
  const generator = findGenerator(cores);
  let numbers = Date.now() * 1000; // no value of an earlier run comes again
  const deps: MeasureDeps = {
    ...options,
    generator,
    cpuTime: createCpuTime(),
    numbers: () => (numbers += 10_000_000),
  };
  const chosen = pairCases.filter(({ name }) => options.cases.includes(name));
  say(
    `Load by ${generator.name}, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s`,
  );
  say(
    cores.server === undefined ? 'Processes are not pinned' : `Servers on core ${cores.server}, load on ${cores.load}`,
  );

  const rows: (PairRow | StartRow)[] = [];
  const faults: string[] = [];
  const attempt = async (name: string, work: () => Promise<void>) => {
    say(`\n${name} …`);
    await work().catch((error: unknown) => {
      faults.push(name);
      say(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  for (const one of chosen) {
    await attempt(one.name, async () => {
      if (options.profile) return say(await profileCase(one, cores, deps));
      rows.push(await comparePair(one));
    });
  }
  if (options.cases.includes(startCase) && !options.profile) {
    await attempt(startCase, async () => void rows.push(...(await measureStart(options.rounds))));
  }

  async function comparePair(one: PairCase): Promise<PairRow> {
    const bench = createBench(cores);
    try {
      const row = toRow(one, await measurePair(await one.open(bench), deps));
      if (row.failed > 0) faults.push(one.name);
      return row;
    } finally {
      await bench.close();
    }
  }

  if (rows.length > 0) {
    say(`\n${toTable(rows)}`);
    say(warnings(rows));
    await mkdir(dirname(options.json), { recursive: true });
    const { rounds, seconds, connections } = options;
    const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, load: generator.name };
    const report = { at: new Date().toISOString(), machine, rounds, seconds, connections, rows, faults };
    await writeFile(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
    say(`\nWritten to ${options.json}`);
  }
  if (faults.length > 0) say(`\nRequests failed in: ${faults.join(', ')}`);
  return faults.length > 0 ? 1 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
