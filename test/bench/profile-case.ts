import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBench } from './bench.ts';
import type { PairCase } from './cases/case.ts';
import type { Cores } from './measure/cores.ts';
import { measure, warm, type MeasureDeps } from './measure/measure-pair.ts';
import { describeProfile, type CpuProfile } from './report/profile.ts';

const every = 200; // µs between samples

const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Runs Portico alone under the load of the case and tells where its time goes. */
export async function profileCase(one: PairCase, cores: Cores, deps: MeasureDeps): Promise<string> {
  const kept = createBench(cores);
  try {
    const folder = await kept.folder();
    const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${every}`];
    const bench = createBench(cores, { NODE_OPTIONS: options.join(' ') });
    let run: Awaited<ReturnType<typeof measure>>;
    let from: number;
    let to: number;
    try {
      const { portico } = await one.open(bench);
      await portico.check();
      await warm(portico, deps);
      from = now();
      run = await measure(portico, deps);
      to = now();
    } finally {
      await bench.close(); // the profile is written at the end of the process
    }
    const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
    if (files.length !== 1) throw new Error(`${files.length} profiles were written`);
    const profile = JSON.parse(await readFile(join(folder, files[0]!), 'utf8')) as CpuProfile;
    return describeProfile(profile, { from, to }, run.answered);
  } finally {
    await kept.close();
  }
}
