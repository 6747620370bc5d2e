import type { StateStore } from '../state-store.ts';
import type { Redis } from './redis.ts';
import { runScript, script } from './script.ts';

const count = script(`
  local count = redis.call('INCRBY', KEYS[1], ARGV[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return {count, left}`);

const add = script(`
  redis.call('SADD', KEYS[1], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`);

const removeChunk = 500; // commands under way at once

/**
 * State on Redis, its own keys below `prefix`. Every operation is one command or script over one key, so it is atomic on a
 * single server and on a cluster alike. Errors: `unavailable` when Redis does not answer in time; what was asked may still
 * have happened then.
 */
export function createRedisStateStore(redis: Pick<Redis, 'run' | 'ping' | 'close'>, prefix: string): StateStore {
  const at = (key: string): string => prefix + key;
  const on = (key: string, command: string, ...args: readonly string[]) =>
    redis.run(at(key), [command, at(key), ...args]);
  const text = async (reply: Promise<unknown>) => ((await reply) as string | null) ?? undefined;
  const did = async (reply: Promise<unknown>) => (await reply) === 1;
  const set = async (key: string, value: string, ttl: number, ...when: readonly string[]) =>
    (await on(key, 'SET', value, 'PX', milliseconds(ttl), ...when)) === 'OK';

  return {
    get: (key) => text(on(key, 'GET')),
    async put(key, value, ttl) {
      await (ttl > 0 ? set(key, value, ttl) : on(key, 'UNLINK'));
    },
    putIfAbsent: async (key, value, ttl) => (ttl > 0 ? set(key, value, ttl, 'NX') : !(await did(on(key, 'EXISTS')))),
    putIfPresent: (key, value, ttl) => (ttl > 0 ? set(key, value, ttl, 'XX') : did(on(key, 'UNLINK'))),
    take: (key) => text(on(key, 'GETDEL')),
    touch: (key, ttl) => did(on(key, 'PEXPIRE', milliseconds(ttl))),
    async remove(keys) {
      for (let from = 0; from < keys.length; from += removeChunk) {
        await Promise.all(keys.slice(from, from + removeChunk).map((key) => on(key, 'UNLINK')));
      }
    },
    async increment(key, by, ttl) {
      const [counted, left] = (await runScript(redis, count, at(key), [String(by), milliseconds(ttl)])) as [
        number,
        number,
      ];
      return { count: counted, left };
    },
    async addMember(name, member, ttl) {
      await runScript(redis, add, at(name), [member, milliseconds(ttl)]);
    },
    async removeMember(name, member) {
      await on(name, 'SREM', member);
    },
    members: async (name) => Array.from((await on(name, 'SMEMBERS')) as Iterable<string>),
    ping: () => redis.ping(),
    close: () => redis.close(),
  };
}

const milliseconds = (ttl: number): string => String(Math.ceil(ttl));
