import type { StartRow } from '../cases/start.ts';
import { isDisturbed, type Figures, type PairRow } from './row.ts';

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = (value: number): string => `${Math.round(value * 100)} %`;
const micros = (value: number | undefined): string => {
  if (value === undefined) return '–';
  return value < 100 ? value.toFixed(1) : count(value);
};
const ratio = (value: number | undefined): string => value?.toFixed(2) ?? '–';

const rate = ({ perSecond, spread }: Figures): string => `${count(perSecond)} ± ${percent(spread / 2)}`;
const cpu = ({ cpu: used, busy }: Figures): string =>
  `${micros(used)}${busy === undefined ? '' : ` (${percent(busy)})`}`;

const heading = [
  'case',
  'against',
  'Portico /s',
  'baseline /s',
  'ratio',
  'Portico CPU µs',
  'baseline CPU µs',
  'CPU ratio',
  'load busy',
  'bar',
  '',
];

const verdict = ({ met, judgedBy, failed }: PairRow): string => {
  if (failed > 0) return `FAILED: ${count(failed)} requests`;
  return `${met ? 'met' : 'MISSED'} (${judgedBy})`;
};

const pairCells = (row: PairRow): readonly string[] => [
  row.name,
  row.against,
  `${rate(row.portico)}${row.unit === 'objects' ? ' objects' : ''}`,
  rate(row.baseline),
  ratio(row.ratio),
  cpu(row.portico),
  cpu(row.baseline),
  ratio(row.cpuRatio),
  [row.portico, row.baseline].map(({ loadBusy }) => (loadBusy === undefined ? '–' : percent(loadBusy))).join(', '),
  `≥ ${row.bar.toFixed(2)}`,
  verdict(row),
];

const startCells = ({ name, about, milliseconds, spread, bar, met }: StartRow): readonly string[] => [
  name,
  about,
  `${count(milliseconds)} ms ± ${percent(spread / 2)}`,
  ...Array<string>(6).fill(''),
  `≤ ${count(bar)} ms`,
  met ? 'met' : 'MISSED',
];

/** In columns, as Markdown. */
export function toTable(rows: readonly (PairRow | StartRow)[]): string {
  const lines = [heading, ...rows.map((row) => ('runs' in row ? pairCells(row) : startCells(row)))];
  const widths = heading.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(heading), rule, ...lines.slice(1).map(line)].join('\n');
}

/** What keeps the figures from being a claim; empty when nothing does. */
export function warnings(rows: readonly (PairRow | StartRow)[]): string {
  const names = rows.flatMap((row) =>
    'runs' in row && [row.portico, row.baseline].some(isDisturbed) ? [row.name] : [],
  );
  return names.length === 0 ? '' : `Others used the machine, the figures are no claim: ${names.join(', ')}`;
}
