import { AppError } from '#errors.ts';
import type { ListOptions, Repository, Values } from '#data/repository.ts';
import type { Class, Classes } from '#meta/class.ts';
import { parseEager, parseFields } from '#query/attribute-lists.ts';
import type { Envelope, ServiceRequest } from '#service/index.ts';

const defaultCount = 5;

interface Page {
  readonly offset: number;
  readonly count: number;
}

/** A page of objects with `Link` (RFC 8288) and, when asked, `X-Total-Count`. What the address says wins over the body. */
export async function answerList(
  request: ServiceRequest,
  body: Values,
  itsClass: Class,
  { repo, classes, maxCount }: { readonly repo: Repository; readonly classes: Classes; readonly maxCount: number },
): Promise<Envelope> {
  const { query } = request;
  const offset = wholeNumber('_offset', query['_offset'] ?? body['offset']) ?? 0;
  const count = Math.min(wholeNumber('_count', query['_count'] ?? body['count']) ?? defaultCount, maxCount);
  const fields = parseFields(query['_fields'] ?? body['fields'], itsClass);
  const eager = query['_eager'] ?? body['eager'] ?? body['forceEnrichment'];
  const isCounted = isSet(query['_total'] ?? body['total'] ?? body['countTotal']);
  const { items, total } = await repo.find(
    itsClass.code,
    {
      offset,
      count: count === 0 ? 0 : count + 1, // one more tells whether there is a next page
      filter: body['filter'],
      query,
      sort: (query['_sort'] ?? body['sort'] ?? '') as NonNullable<ListOptions['sort']>, // checked where it is read
      eager: parseEager(eager, itsClass, classes),
      total: isCounted,
    },
    request.user,
  );
  const seen = new Set<string>();
  const data = items.slice(0, count).map((item) => item.present({ fields, seen }));
  return {
    data,
    headers: {
      Link: links(request.originalUrl, { offset, count }, items.length > count),
      ...(total === undefined ? {} : { 'X-Total-Count': total }),
    },
  };
}

/** A number from the address or the body, zero or more. */
function wholeNumber(name: string, raw: unknown): number | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined;
  const number = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  const message = 'must be a whole number, zero or more';
  throw new AppError('bad_request', undefined, { faults: [{ property: name, code: 'type', message }] });
}

const isSet = (raw: unknown): boolean => raw === true || raw === 1 || raw === '1' || raw === 'true';

function links(address: string, { offset, count }: Page, hasNext: boolean): string {
  const [path = '', search = ''] = address.split('?', 2);
  const to = (relation: string, start: number): string => {
    const parameters = new URLSearchParams(search);
    parameters.set('_offset', String(start));
    parameters.set('_count', String(count));
    return `<${path}?${parameters.toString()}>; rel="${relation}"`;
  };
  return [
    to('first', 0),
    ...(offset > 0 ? [to('prev', Math.max(offset - count, 0))] : []),
    ...(hasNext && count > 0 ? [to('next', offset + count)] : []),
  ].join(', ');
}
