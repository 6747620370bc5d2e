import { AppError } from '#errors.ts';
import type { Values } from '#data/repository.ts';
import type { ServiceRequest } from '#service/index.ts';

/** A body that is one object: JSON, a form or multipart, whose files stand under the names of their attributes. */
export function valuesIn({ body, files }: ServiceRequest): Values {
  const uploads = Object.entries(files).flatMap(([name, list]) => {
    const sent = list.filter((one) => one.size > 0 || one.name !== ''); // a form's file field that was left empty
    return sent.length > 0 ? [[name, sent] as const] : [];
  });
  if (body === undefined && uploads.length > 0) return Object.fromEntries(uploads.map(onlyOne));
  const values = objectIn(body);
  if (uploads.length === 0) return values;
  const added = uploads.map(([name, list]) => {
    const held: unknown = Object.hasOwn(values, name) ? values[name] : [];
    return onlyOne([name, [...(Array.isArray(held) ? (held as readonly unknown[]) : []), ...list]]);
  });
  return { ...values, ...Object.fromEntries(added) };
}

/** `AppError('bad_request')` for anything but an object. */
export function objectIn(body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  throw new AppError('bad_request', undefined, {
    publicText: 'The body must be one object: JSON, a form or multipart/form-data',
  });
}

const onlyOne = ([name, list]: readonly [string, readonly unknown[]]): readonly [string, unknown] => [
  name,
  list.length === 1 ? list[0] : list,
];
