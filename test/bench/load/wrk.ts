import { isVarying, type LoadResult, type Order } from './plan.ts';

const quoted = (text: string): string => {
  let level = '=';
  while (text.includes(`]${level}]`)) level += '=';
  return `[${level}[\n${text}]${level}]`; // Lua drops the first line break
};

/** The script that makes wrk send the plan, and print its result as JSON on the last line. One thread: `{n}` is counted in it. */
export function wrkScript({ plan, from }: Order): string {
  const headers = Object.entries(plan.headers).map(([name, value]) => `[ ${quoted(name)} ] = ${quoted(value)}`);
  return `
local n = ${from}
local method, path, body = ${quoted(plan.method)}, ${quoted(plan.path)}, ${plan.body === undefined ? 'nil' : quoted(plan.body)}
local headers = { ${headers.join(', ')} }
local fixed
local function fill(text)
  if text == nil then return nil end
  local slot = string.format("%.0f", n % ${plan.slots ?? 1})
  return (text:gsub("{n}", string.format("%.0f", n)):gsub("{slot}", slot))
end
function request()
  if fixed then return fixed end
  n = n + 1
  local made = wrk.format(method, fill(path), headers, fill(body))
  if ${!isVarying(plan)} then fixed = made end
  return made
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"status":%d,"broken":%d,"seconds":%f,"p50":%f,"p99":%f}\\n',
    summary.requests, e.status, e.connect + e.read + e.write + e.timeout, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;
}

/** wrk counts answers of 400 and more among its requests. */
export function readWrk(output: string): LoadResult {
  const last = JSON.parse(output.trim().split('\n').at(-1)!) as Record<
    'requests' | 'status' | 'broken' | 'seconds' | 'p50' | 'p99',
    number
  >;
  const { requests, status, broken, seconds, p50, p99 } = last;
  return { answered: requests - status, failed: status + broken, seconds, p50, p99 };
}
