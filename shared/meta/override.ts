const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNamed = (value: unknown): value is readonly { readonly name: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isPlain(one) && typeof one['name'] === 'string');

/** The content of an `*.override.json` over that of its file: objects key by key, lists of named things by name, all else replaced. */
export function mergeOver(base: unknown, over: unknown): unknown {
  if (isPlain(base) && isPlain(over)) {
    const merged = Object.entries(over).map(
      ([name, value]) => [name, mergeOver(Object.hasOwn(base, name) ? base[name] : undefined, value)] as const,
    );
    return { ...base, ...Object.fromEntries(merged) };
  }
  if (!isNamed(base) || !isNamed(over)) return over;
  const added = over.filter(({ name }) => !base.some((one) => one.name === name));
  const changed = base.map((one) => over.filter(({ name }) => name === one.name).reduce<unknown>(mergeOver, one));
  return [...changed, ...added];
}
