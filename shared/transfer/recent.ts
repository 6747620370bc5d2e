/** The last `size` texts that were added. */
export interface Recent {
  has(text: string): boolean;
  add(text: string): void;
}

export function createRecent(size: number): Recent {
  const known = new Set<string>();
  return {
    has: (text) => known.has(text),
    add(text) {
      if (known.has(text)) return;
      if (known.size >= size) known.delete(known.values().next().value!);
      known.add(text);
    },
  };
}
