/** A bar on a terminal. */
export interface Progress {
  /** @param total undefined: not known */
  show(done: number, total: number | undefined): void;
  /** Takes the bar away. */
  end(): void;
}

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const every = 100; // milliseconds
const width = 30;

/** Silent where the screen is no terminal, and for programs that read JSON. @param unit shows a number */
export function createProgress(
  screen: Screen,
  isQuiet: boolean,
  unit: (value: number) => string,
  clock: () => number = () => performance.now(),
): Progress {
  if (isQuiet || screen.isTTY !== true) return { show: () => {}, end: () => {} };
  let shown = -Infinity;
  return {
    show(done, total) {
      const now = clock();
      if (now - shown < every) return;
      shown = now;
      screen.write(`\r${line(done, total, unit).slice(0, (screen.columns || 80) - 1)}\u001b[K`);
    },
    end() {
      if (shown >= 0) screen.write('\r\u001b[K');
    },
  };
}

function line(done: number, total: number | undefined, unit: (value: number) => string): string {
  if (total === undefined || total === 0) return unit(done);
  const part = Math.min(1, done / total);
  const full = Math.round(part * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.floor(part * 100)).padStart(3)} %  ${unit(done)} of ${unit(total)}`;
}

export const asCount = (value: number): string => value.toLocaleString('en');
export const asBytes = (value: number): string => `${(value / 1_000_000).toFixed(1)} MB`;
