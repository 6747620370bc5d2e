import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importSeeds } from '#data/seeds.ts';
import { silentLog } from '#log.ts';
import { openData, type Data } from '../../test/support/open-data.ts';
import { bodyOf, exportText, importText } from '../../test/support/transfer.ts';

const classes = [
  {
    name: 'thing',
    key: ['id'],
    properties: [
      { name: 'id', type: 0 },
      { name: 'text', type: 0 },
    ],
  },
];

describe('seeds after a move', () => {
  it('are what they were: the changed and the removed stay so, untouched ones take a new content', async () => {
    const [from, to] = [await openData(classes), await openData(classes)];
    try {
      const seed = async (data: Data, id: string, text: string) => {
        await mkdir(join(data.folder, 'app/data'), { recursive: true });
        await writeFile(join(data.folder, 'app/data', `thing@${id}.json`), JSON.stringify({ text }));
      };
      const run = ({ folder, stores, classes: compiled }: Data) =>
        importSeeds(join(folder, 'app'), {
          ...stores,
          classes: compiled,
          log: silentLog,
          hashPassword: async (text) => text,
        });
      for (const id of ['same', 'changed', 'removed']) await seed(from, id, 'first');
      await run(from);
      await from.repo.edit('thing', 'changed', { text: 'by hand' });
      await from.repo.remove('thing', 'removed');

      await to.repo.create('thing', { id: 'same', text: 'was here' }); // so its revision is another one there
      const { text } = await exportText(from);
      await importText(to, text, { mode: 'replace' });
      expect(bodyOf((await exportText(to)).text).replaceAll(/"revision":\d/g, '')).to.equal(bodyOf(text).replaceAll(/"revision":\d/g, '')); // prettier-ignore

      for (const id of ['same', 'changed', 'removed']) await seed(to, id, 'first');
      expect(await run(to)).to.deep.equal({ created: 0, updated: 0, kept: 0 });
      for (const id of ['same', 'changed', 'removed']) await seed(to, id, 'second');
      expect(await run(to)).to.deep.equal({ created: 0, updated: 1, kept: 2 });
      expect((await to.repo.get('thing', 'same'))?.doc['text']).to.equal('second');
    } finally {
      await from.close();
      await to.close();
    }
  });
});
