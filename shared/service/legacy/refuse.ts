/** Members that old code may look for and that are not to be had: using one is an error that names it. */
export function refuse<T extends object>(target: T, name: string, members: readonly string[]): T {
  for (const member of members)
    Object.defineProperty(target, member, {
      enumerable: false,
      get() {
        throw new Error(
          `'${name}.${member}' is not offered here: services work through the repository (docs/services.md)`,
        );
      },
    });
  return target;
}
