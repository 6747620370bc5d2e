import type { LegacyHandler, LegacyRouter } from './legacy-router.ts';

/** What `modules/rest/lib/interfaces/Service` gives. A plain function, for `X.prototype = new Service()` and `Service.call(this)`. */
export interface LegacyService {
  addHandler(router: LegacyRouter, path: string, method: string, handler: LegacyHandler): void;
  /** Overridden by some services instead of `_route`. */
  route(router: LegacyRouter): unknown;
  _route?(router: LegacyRouter): unknown;
  _handle?(request: Parameters<LegacyHandler>[0]): unknown;
}

interface LegacyServiceConstructor {
  new (): LegacyService;
  (this: unknown): void;
  readonly prototype: LegacyService;
}

const base = function (): void {};
base.prototype = {
  constructor: base,
  addHandler(router: LegacyRouter, path: string, method: string, handler: LegacyHandler) {
    router.add(method, path, handler);
  },
  route(this: LegacyService, router: LegacyRouter) {
    if (typeof this._route !== 'function') throw new TypeError('the service defines no _route');
    return this._route(router);
  },
};

export const LegacyService = base as unknown as LegacyServiceConstructor;

const hasMethod = (value: object, name: string): boolean => typeof Reflect.get(value, name) === 'function';

/** An instance of the facade, or an object that only looks like one (a service that forgot its prototype). */
export const isLegacyService = (value: unknown): value is LegacyService =>
  value instanceof LegacyService ||
  (typeof value === 'object' && value !== null && (hasMethod(value, '_route') || hasMethod(value, '_handle')));
