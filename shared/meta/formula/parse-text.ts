/** What a text formula means in the form of an object: `concat($a, 'x')` is `{concat: ["$a", "x"]}`. Throws where it cannot be read. */
export function parseText(source: string): unknown {
  const tokens = [
    ...source.matchAll(/\s*(?:(?<word>\$?[\p{L}\w.$-]+)|(?<quoted>'[^']*'|"[^"]*")|(?<sign>[(),])|(?<other>\S))/gu),
  ];
  let at = 0;
  const take = (): Partial<Record<'word' | 'quoted' | 'sign' | 'other', string>> => tokens[at++]?.groups ?? {};
  const sign = (): string | undefined => tokens[at]?.groups?.['sign'];

  function argument(depth: number): unknown {
    const { word, quoted, sign: found, other } = take();
    if (quoted !== undefined) return quoted.slice(1, -1);
    if (word === undefined || depth > 20) throw new Error(`cannot be read at "${found ?? other ?? 'its end'}"`);
    if (sign() !== '(') return literal(word);
    at += 1;
    const args: unknown[] = [];
    while (sign() !== ')') {
      args.push(argument(depth + 1));
      if (sign() === ',') at += 1;
      else if (sign() !== ')') throw new Error('has a bracket that is not closed');
    }
    at += 1;
    return { [word]: args };
  }

  const read = argument(0);
  if (at < tokens.length) throw new Error(`goes on after its end`);
  return read;
}

function literal(word: string): unknown {
  if (word === 'null') return null;
  if (word === 'true' || word === 'false') return word === 'true';
  return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
}
