import { environment, variableNames } from './environment.ts';
import { environmentName, settingNames } from './resolve-settings.ts';
import { settings } from './settings.ts';

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const shown = (value: unknown): string => (value === '' ? 'none' : `\`${JSON.stringify(value)}\``);

/** The tables of docs/configuration.md; a spec holds the page to them. */
export const environmentTable = (): string =>
  [
    row('name', 'default', 'unit', 'meaning'),
    row('---', '---', '---', '---'),
    ...variableNames.map((name) => {
      const { fallback, unit, about } = environment[name];
      return row(`\`${name}\``, fallback, unit, about);
    }),
  ].join('\n');

export const settingsTable = (): string =>
  [
    row('setting', 'environment', 'default', 'unit', 'meaning'),
    row('---', '---', '---', '---', '---'),
    ...settingNames.map((name) => {
      const { fallback, unit, about } = settings[name];
      return row(`\`${name}\``, `\`${environmentName(name)}\``, shown(fallback), unit, about);
    }),
  ].join('\n');
