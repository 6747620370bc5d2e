// The second process of the contract suites: opens the store, says `ready`, waits for `go`, does its task, reports.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { unreachable } from '#errors.ts';
import type { Stores } from '#stores/stores.ts';
import type { Elsewhere } from './place.ts';

export type Task =
  | { readonly do: 'reserve'; readonly counter: string; readonly times: number }
  | { readonly do: 'insert' | 'insertUnique' | 'take' | 'putIfAbsent'; readonly keys: readonly string[] }
  | { readonly do: 'addOne' | 'increment'; readonly key: string; readonly times: number }
  | { readonly do: 'writeForever' | 'saveForever' | 'countForever'; readonly from: number }
  | { readonly do: 'publish'; readonly topic: string; readonly messages: readonly string[] }
  | { readonly do: 'prepare'; readonly collections: Parameters<Stores['objects']['prepare']>[0] };

const report = (what: unknown): void => void process.send!(what);

async function won(keys: readonly string[], compete: (key: string) => Promise<boolean>): Promise<string[]> {
  const results = await Promise.all(keys.map(async (key) => ((await compete(key)) ? [key] : [])));
  return results.flat();
}

/** Adds one to what is stored, again until nobody was faster. */
async function addOne({ objects }: Pick<Stores, 'objects'>, id: string): Promise<void> {
  for (;;) {
    const found = (await objects.get('counted', [id]))[0]!;
    const doc = { n: Number(found.doc['n']) + 1 };
    const [written] = await objects.write([{ op: 'update', collection: 'counted', id, doc, expect: found.revision }], {
      atomic: true,
    });
    if (!('clash' in written!)) return;
  }
}

async function perform(task: Task, { objects, state, files, bus }: Stores): Promise<unknown> {
  switch (task.do) {
    case 'reserve':
      return Promise.all(Array.from({ length: task.times }, () => objects.reserve(task.counter, 3)));
    case 'insert':
    case 'insertUnique':
      return won(task.keys, async (key) => {
        const id = task.do === 'insert' ? key : `${key}-${process.pid}`;
        const write = { op: 'insert', collection: 'raced', id, doc: { key, by: process.pid } } as const;
        return !('clash' in (await objects.write([write], { atomic: true }))[0]!);
      });
    case 'addOne':
      for (let done = 0; done < task.times; done++) await addOne({ objects }, task.key);
      return true;
    case 'take':
      return won(task.keys, async (key) => (await state.take(key)) !== undefined);
    case 'putIfAbsent':
      return won(task.keys, (key) => state.putIfAbsent(key, String(process.pid), 60_000));
    case 'increment':
      return Promise.all(Array.from({ length: task.times }, () => state.increment(task.key, 1, 60_000)));
    case 'writeForever':
      for (let n = task.from; ; n++) {
        const both = ['left', 'right'].map(
          (collection) => ({ op: 'insert', collection, id: String(n), doc: { n } }) as const,
        );
        const number = objects.reserve('numbers', 1);
        await objects.write(both, { atomic: true });
        report({ n, number: await number });
      }
    case 'countForever':
      for (let n = task.from; ; n++) {
        await state.put(`n-${n}`, 'here', 60_000);
        report({ n, count: (await state.increment('counter', 1, 60_000)).count });
      }
    case 'saveForever':
      for (;;) report(await files.put(Readable.from(chunks()), 10_000_000));
    case 'publish':
      for (const message of task.messages) await bus.publish(task.topic, message);
      return true;
    case 'prepare':
      await objects.prepare(task.collections);
      return true;
    default:
      return unreachable(task);
  }
}

function* chunks(): Generator<Buffer> {
  for (let n = 0; n < 20; n++) yield randomBytes(10_000);
}

const [module, argument, task] = process.argv.slice(2) as [string, string, string];
const { openElsewhere } = (await import(module)) as { openElsewhere: Elsewhere };
const stores = (await openElsewhere(argument)) as Stores;
process.once('message', () => {
  void perform(JSON.parse(task) as Task, stores).then(async (answer) => {
    report(answer);
    await stores.close();
    process.disconnect();
  });
});
process.once('disconnect', () => process.exit()); // the suite is gone
report('ready');
