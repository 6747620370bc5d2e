import type { SelectionOptions } from '#transfer/selection.ts';
import type { Command, Terminal } from './command.ts';
import { listOf, optionOf } from './read-arguments.ts';

/** `--class` and `--filter`; undefined, with a word why: they were used wrongly. */
export function readSelection(
  args: Parameters<Command['run']>[0],
  terminal: Pick<Terminal, 'warn'>,
): SelectionOptions | undefined {
  const classes = listOf(args, 'class');
  const text = optionOf(args, 'filter');
  if (text === undefined) return classes.length > 0 ? { classes } : {};
  if (classes.length === 0) {
    terminal.warn('--filter goes with --class: attributes belong to a class');
    return undefined;
  }
  try {
    return { classes, filter: JSON.parse(text) as unknown };
  } catch {
    terminal.warn('--filter takes JSON, such as \'{"status": "draft"}\'');
    return undefined;
  }
}
