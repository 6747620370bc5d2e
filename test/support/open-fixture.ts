import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settings as known, type SettingName, type Settings } from '#config/settings.ts';
import { silentLog } from '#log.ts';
import { openSqliteStores } from '#stores/sqlite/index.ts';

/** For tests: the default settings but for those given. */
export const settingsWith = (given: Partial<Record<SettingName, unknown>> = {}): Settings =>
  ((name: SettingName) => given[name] ?? known[name].fallback) as Settings;

/** For tests: real stores in a folder of their own, and a clock that can be moved. */
export async function openFixture(given: Partial<Record<SettingName, unknown>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const time = { ahead: 0 };
  const clock = () => Date.now() + time.ahead;
  const stores = await openSqliteStores(folder, silentLog, clock);
  return {
    folder,
    stores,
    clock,
    advance: (seconds: number) => void (time.ahead += seconds * 1000),
    deps: { ...stores, log: silentLog, settings: settingsWith(given), clock, key: Buffer.alloc(32, 7) },
    async close() {
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Fixture = Awaited<ReturnType<typeof openFixture>>;
