const isSilent = (name: PropertyKey): boolean => typeof name === 'symbol' || name === 'then' || name === 'toJSON';

/** Behaves as the component once that is there; before, and when it never came, its use is an error that says so. */
export function lazyComponent(find: () => unknown): object {
  const bound = new WeakMap<object, unknown>();
  const target = (): object => find() as object;
  return new Proxy(function () {}, {
    get(_, name) {
      if (name === 'then') return undefined; // a component is no promise, and awaiting one is no use of it
      const component = target();
      const value = Reflect.get(component, name, component) as unknown;
      if (typeof value !== 'function') return value;
      if (!bound.has(value)) bound.set(value, value.bind(component));
      return bound.get(value);
    },
    set: (_, name, value) => Reflect.set(target(), name, value),
    has: (_, name) => Reflect.has(target(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(target()),
    apply: (_, self, parameters) => Reflect.apply(target() as () => unknown, self, parameters) as unknown,
  });
}

/** A component that deployments refer to and that does nothing here: referring to it is fine, using it an error that names it. */
export const unavailableComponent = (name: string): object =>
  new Proxy(
    {},
    {
      get(_, member) {
        if (isSilent(member)) return undefined;
        throw new Error(`'${name}.${String(member)}' is not offered here (docs/services.md says what is)`);
      },
    },
  );

/** Takes every use and does nothing: for looking at services without anything behind them. */
export function absorbingComponent(): object {
  const component: object = new Proxy(function () {}, {
    get(_, name) {
      if (name === Symbol.toPrimitive) return () => '';
      if (name === Symbol.iterator) return () => [].values();
      return isSilent(name) ? undefined : component;
    },
    apply: () => component,
    construct: () => component,
    set: () => true,
  });
  return component;
}
