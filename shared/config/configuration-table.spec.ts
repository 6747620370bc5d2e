import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { environmentTable, settingsTable } from './configuration-table.ts';
import { environmentName } from './resolve-settings.ts';

/** Rows without the padding that the formatter adds. */
const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replace(/\s*(?<!\\)\|\s*/g, '|').replace(/-{3,}/g, '---'));

describe('docs/configuration.md', () => {
  it('names every environment variable and setting with its default and unit', async () => {
    const page = rows(await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8'));
    expect(page).to.include.members([...rows(environmentTable()), ...rows(settingsTable())]);
  });

  it('derives the name in the environment from the words of a setting', () => {
    expect(environmentName('rest.maxCount')).to.equal('REST_MAX_COUNT');
    expect(environmentName('data.requireIfMatch')).to.equal('DATA_REQUIRE_IF_MATCH');
  });
});
