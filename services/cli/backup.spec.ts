import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFixture, settingsWith, type Fixture } from '../../test/support/open-fixture.ts';
import { backup } from './backup.ts';
import type { CommandContext } from './command.ts';

describe('the command backup', () => {
  let fixture: Fixture;
  let told: string[];
  const run = (folder: string) => {
    told = [];
    const terminal = {
      json: true,
      say: (facts: unknown) => void told.push(JSON.stringify(facts)),
      warn: (text: string) => void told.push(text),
    };
    const config = { settings: settingsWith(), installation: { stores: 'sqlite', dataFolder: fixture.folder } };
    return backup.run({ folder }, { terminal, load: async () => config } as unknown as CommandContext);
  };
  beforeEach(async () => {
    fixture = await openFixture();
  });
  afterEach(() => fixture.close());

  it('takes the secret of the installation along, and leaves nothing unfinished', async () => {
    await writeFile(join(fixture.folder, 'secret'), 'made at the first start');
    const copy = join(fixture.folder, 'copies', 'one');
    expect(await run(copy)).to.equal(0);
    expect((await readdir(copy)).toSorted()).to.deep.equal(['files', 'objects.db', 'secret', 'state.db']);
    expect(await readFile(join(copy, 'secret'), 'utf8')).to.equal('made at the first start');
    expect(JSON.parse(told[0]!)).to.deep.equal({ backup: copy, documents: 0, files: 0, bytes: 0 });
  });

  it('takes an empty folder, such as a volume, and refuses one that holds something', async () => {
    const copy = join(fixture.folder, 'copy');
    await mkdir(copy);
    expect(await run(copy)).to.equal(0);
    expect(await run(copy)).to.equal(1);
    expect(told[0]).to.match(/is there and not empty/);
  });

  it('tells of damaged files, and keeps the copy', async () => {
    const shard = join(fixture.folder, 'files', 'ab');
    await mkdir(shard);
    await writeFile(join(shard, 'ab'.repeat(32)), 'not what it was');
    const copy = join(fixture.folder, 'copy');
    expect(await run(copy)).to.equal(1);
    expect(told.join()).to.match(/"damaged":\["(ab){32}"\].*1 stored files are damaged/);
    expect(await readdir(copy)).to.include('objects.db');
  });
});
