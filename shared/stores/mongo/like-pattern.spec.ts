import { expect } from 'chai';
import * as fc from 'fast-check';
import { likePattern, literal } from './like-pattern.ts';

const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');
const holds = (value: string, text: string): boolean => new RegExp(likePattern(text), 'u').test(value);

describe('the pattern of a case-insensitive search', () => {
  it('matches exactly what folding both sides matches', () => {
    const letters = Array.from('aAiIİıſsSKkKßẞΣσςǅǆǄжЖÅåÅ.*[]\\^-$() 👍\u0307\n');
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, text, (before, middle, after) => {
        const value = before + middle + after;
        for (const [inside, search] of [
          [value, middle],
          [value, middle.toUpperCase()],
          [middle, value],
          [value.toUpperCase(), middle],
        ] as const) {
          expect(holds(inside, search), JSON.stringify([inside, search])).to.equal(fold(inside).includes(fold(search)));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('knows every letter of every alphabet', () => {
    for (let code = 0x20; code <= 0x1e9ff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const small = fold(letter);
      if (small === letter || letter === 'İ') continue;
      expect(likePattern(small), letter).to.contain(letter);
      expect(likePattern(letter)).to.equal(likePattern(small));
    }
  });

  it('holds no null character, which would end it', () => {
    expect(literal('a\0b')).to.equal('a\\x00b');
    expect(likePattern('A\0')).to.equal('[aA]\\x00');
  });
});
