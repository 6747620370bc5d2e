import { AppError, toAppError } from '#errors.ts';
import type { Log } from '#log.ts';
import type { ServiceRequest } from '#service/index.ts';
import type { Converter } from './options.ts';

const reserved: ReadonlySet<string> = new Set(['dataRepo', 'securedDataRepo', 'metaRepo', 'settings', 'access']);

/** The converter that `svc-converter` (or its old name) asks for: an option of the service. Without the header: none. */
export function converterFor(request: ServiceRequest, options: Readonly<Record<string, unknown>>): Converter {
  const name = request.get('svc-converter') || request.get('ion-converter');
  if (name === '') return {};
  const found = Object.hasOwn(options, name) && !reserved.has(name) ? options[name] : undefined;
  if (isConverter(found)) return found;
  throw new AppError('bad_request', `no converter ${name}`, { publicText: 'There is no such converter' });
}

const isConverter = (value: unknown): value is Converter =>
  typeof value === 'object' &&
  value !== null &&
  (typeof (value as Converter).parse === 'function' || typeof (value as Converter).respond === 'function');

/** What a converter cannot read is the sender's fault. */
export async function parseBy(converter: Converter, data: unknown, log: Log): Promise<readonly unknown[]> {
  const parsed = converter.parse ? await tryParse(converter, data, log) : data;
  return Array.isArray(parsed) ? (parsed as readonly unknown[]) : [parsed];
}

async function tryParse(converter: Converter, data: unknown, log: Log): Promise<unknown> {
  try {
    return await converter.parse?.(data);
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn('a converter could not read what was sent', { error });
    throw new AppError('bad_request', 'the converter failed', { cause: toAppError(error).cause });
  }
}

export const respondBy = async (converter: Converter, objects: readonly unknown[]): Promise<unknown> =>
  converter.respond ? await converter.respond(objects) : objects;
