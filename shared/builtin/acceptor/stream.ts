import { Readable } from 'node:stream';
import { AppError, codes, toAppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { ServiceRequest } from '#service/index.ts';
import { acceptEach, type AcceptDeps, type AcceptHow } from './accept.ts';
import { parseBy, respondBy } from './converter.ts';
import { groupLines, type Line } from './lines.ts';
import type { Converter } from './options.ts';
import { failed, type Result } from './outcome.ts';

/** Objects stored together: enough to be quick, few enough to hold the loop only for moments. */
const groupCount = 500;

export interface StreamLimits {
  /** Bytes of one line. */
  readonly line: number;
  /** Levels of nesting of one object. */
  readonly depth: number;
}

/** One line of result per line of input (`application/x-ndjson`), as they are stored; memory does not grow with the input. */
export function acceptLines(
  request: ServiceRequest,
  converter: Converter,
  limits: StreamLimits,
  how: AcceptHow,
  deps: AcceptDeps,
): Readable {
  async function* results(): AsyncGenerator<string> {
    for await (const group of groupLines(request.stream, { count: groupCount, bytes: limits.line })) {
      const answers = await acceptGroup(group, converter, limits, how, deps, request.log);
      yield answers.map((one) => `${JSON.stringify(one)}\n`).join('');
    }
  }
  return Readable.from(results(), { objectMode: true, highWaterMark: 1 });
}

type Read = { readonly object: unknown } | { readonly result: Result };

async function acceptGroup(
  group: readonly Line[],
  converter: Converter,
  limits: StreamLimits,
  how: AcceptHow,
  deps: AcceptDeps,
  log: Log,
): Promise<readonly Result[]> {
  const read: Read[] = [];
  for (const line of group) read.push(await readLine(line, converter, limits, log));
  const objects = read.flatMap((one) => ('object' in one ? [one.object] : []));
  const stored = (await tryAccept(objects, how, deps, log)).values();
  const results: Result[] = [];
  for (const one of read) {
    const result = 'result' in one ? one.result : stored.next().value!;
    results.push(await converted(result, converter));
  }
  return results;
}

async function readLine(line: Line, converter: Converter, limits: StreamLimits, log: Log): Promise<Read> {
  if ('tooLong' in line) return { result: failed(new AppError('too_large')) };
  try {
    const value: unknown = JSON.parse(line.text);
    if (isDeeper(value, limits.depth)) throw badLine(`is nested deeper than ${limits.depth} levels`);
    const [object, ...more] = await parseBy(converter, value, log);
    if (more.length > 0) throw badLine('gives several objects');
    return { object };
  } catch (error) {
    const known = error instanceof SyntaxError ? badLine('is no JSON') : toAppError(error);
    return { result: failed(known) };
  }
}

const badLine = (what: string): AppError =>
  new AppError('bad_request', undefined, { faults: [{ code: 'line', message: `the line ${what}` }] });

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

/** What befalls a whole group is told for each of its lines: the answer has begun, its status cannot change. */
async function tryAccept(
  objects: readonly unknown[],
  how: AcceptHow,
  deps: AcceptDeps,
  log: Log,
): Promise<readonly Result[]> {
  try {
    return await acceptEach(objects, how, deps);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status >= 500) log.error('a group of lines could not be stored', { error: error.cause ?? error });
    const shown =
      error.status >= 500 ? new AppError(error.code, undefined, { publicText: codes[error.code][1] }) : error;
    return objects.map(() => failed(shown));
  }
}

async function converted(result: Result, converter: Converter): Promise<Result> {
  if (!('object' in result) || !converter.respond) return result;
  const answer = await respondBy(converter, [result.object]);
  return { status: result.status, object: Array.isArray(answer) ? (answer as unknown[])[0] : answer };
}
