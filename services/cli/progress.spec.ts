import { expect } from 'chai';
import { asBytes, asCount, createProgress } from './progress.ts';

describe('the progress of a command', () => {
  let now = 0;
  const screenOf = (isTTY: boolean) => ({ isTTY, columns: 80, texts: [] as string[], write(text: string) { this.texts.push(text); } }); // prettier-ignore
  const show = (screen: ReturnType<typeof screenOf>, quiet = false) =>
    createProgress(screen, quiet, asCount, () => now);

  it('is a bar on a terminal, drawn ten times a second, and taken away at the end', () => {
    const screen = screenOf(true);
    const progress = show(screen);
    progress.show(0, 4000);
    now += 50;
    progress.show(1000, 4000);
    now += 60;
    progress.show(2000, 4000);
    progress.end();
    expect(screen.texts).to.have.length(3);
    expect(screen.texts[1]).to.match(/^\r█{15}░{15} {2}50 % {2}2,000 of 4,000/);
    expect(screen.texts[2]).to.equal('\r\u001b[K');
  });

  it('is a number where nobody knows how much there is', () => {
    const screen = screenOf(true);
    createProgress(screen, false, asBytes, () => 0).show(2_500_000, undefined);
    expect(screen.texts[0]).to.match(/^\r2\.5 MB/);
  });

  it('is silent where there is no terminal, and for programs that read JSON', () => {
    for (const [screen, quiet] of [
      [screenOf(false), false],
      [screenOf(true), true],
    ] as const) {
      const progress = show(screen, quiet);
      progress.show(1, 2);
      progress.end();
      expect(screen.texts).to.deep.equal([]);
    }
  });
});
