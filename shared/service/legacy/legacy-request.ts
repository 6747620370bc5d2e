import type { ServiceRequest } from '../request.ts';

/**
 * The documented request as old services know it: also a readable stream (`req.on('data')`, `req.pipe`), and open to
 * properties that the service hangs on it.
 */
export const legacyRequest = (request: ServiceRequest): ServiceRequest => {
  const own = new Map<PropertyKey, unknown>();
  return new Proxy(request, {
    get(target, name) {
      if (own.has(name)) return own.get(name);
      if (name in target) return Reflect.get(target, name, target) as unknown;
      const stream: object = target.stream;
      const value = Reflect.get(stream, name, stream) as unknown;
      return typeof value === 'function' ? (value.bind(stream) as unknown) : value;
    },
    set: (_, name, value) => (own.set(name, value), true),
    has: (target, name) => own.has(name) || name in target || name in target.stream,
  });
};
