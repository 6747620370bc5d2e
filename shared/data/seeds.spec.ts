import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog, type Log } from '#log.ts';
import { importSeeds, type SeedDeps } from './seeds.ts';
import { openData, type Data } from '../../test/support/open-data.ts';

const person = {
  name: 'person',
  key: ['id'],
  creationTracker: 'made',
  properties: [
    { name: 'id', type: 6, autoassigned: true },
    { name: 'name', type: 0, nullable: false, size: 3 },
    { name: 'age', type: 6, nullable: true },
    { name: 'boss', type: 13, refClass: 'person', nullable: true },
    { name: 'made', type: 9, nullable: true },
    { name: 'fixed', type: 0, readonly: true, nullable: true },
  ],
};
const shape = { name: 'shape', abstract: true, key: ['id'], properties: [{ name: 'id', type: 0 }] };

describe('seeds', () => {
  let data: Data;
  let deps: SeedDeps;
  let warnings: string[];
  const states: unknown[] = [];
  const seed = async (name: string, content: unknown) => {
    const file = join(data.folder, 'app/data', name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const run = () => {
    warnings = [];
    return importSeeds(join(data.folder, 'app'), deps);
  };
  const get = async (id: string) => (await data.repo.get('person', id))?.doc;

  beforeEach(async () => {
    data = await openData([person, shape]);
    const log: Log = {
      ...silentLog,
      warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    };
    const { stores, classes } = data;
    const setStates = async (object: { id: string }, found: unknown) => void states.push([object.id, found]);
    deps = { ...stores, classes, log, hashPassword: async (text) => text, setStates };
  });
  afterEach(() => data.close());

  it('imports each content once, and never over a change made since', async () => {
    await seed('person@demo@1.json', { name: 'Ann', fixed: 'a' });
    await seed('deep/er/person@2.json', { name: 'Bob' });
    expect(await run()).to.deep.equal({ created: 2, updated: 0, kept: 0 });
    expect(await run()).to.deep.equal({ created: 0, updated: 0, kept: 0 });
    await data.repo.edit('person', '2', { name: 'Bea' });
    await seed('person@demo@1.json', { name: 'Amy', fixed: 'b' });
    await seed('deep/er/person@2.json', { name: 'Bud' });
    expect(await run()).to.deep.equal({ created: 0, updated: 1, kept: 1 });
    expect([(await get('1'))!['name'], (await get('1'))!['fixed'], (await get('2'))!['name']]).to.deep.equal([
      'Amy',
      'b',
      'Bea',
    ]);
    expect(warnings.join()).to.contain('the object stays');
    await data.repo.remove('person', '1');
    expect(await run()).to.deep.equal({ created: 0, updated: 0, kept: 0 });
    expect(await get('1'), 'what was removed stays away').to.equal(undefined);
  });

  it('leaves alone what was there before', async () => {
    await data.repo.create('person', { id: 1, name: 'Own' });
    await seed('person@demo@1.json', { name: 'Ann' });
    expect(await run()).to.deep.equal({ created: 0, updated: 0, kept: 1 });
    expect((await get('1'))!['name']).to.equal('Own');
  });

  it('is trusted: trackers and authors stand, what breaks a rule is a warning', async () => {
    const made = '2001-02-03T04:05:06.000Z';
    await seed('person@demo@1.json', {
      _class: 'x',
      _creator: 'a@b',
      _editor: 'c@d',
      made,
      name: 'Too long',
      age: 'x',
      gone: 1,
      boss: 9,
    });
    await seed('person@demo@2.json', { boss: 3 });
    await seed('person@demo@3.json', { name: 'Cy' });
    expect(await run()).to.deep.equal({ created: 3, updated: 0, kept: 0 });
    expect(await get('1')).to.deep.equal({
      _class: 'person@demo',
      id: 1,
      _creator: 'a@b',
      _editor: 'c@d',
      made,
      name: 'Too long',
      boss: '9',
    });
    const told = warnings.join('\n');
    expect(told).to.match(/name has 8 characters.*age must be/);
    expect(told).to.contain('"ids":["9"]').and.not.contain('"3"');
  });

  it('lets counters go on above the largest seed', async () => {
    await seed('person@demo@41.json', { name: 'Ann' });
    await run();
    expect((await data.repo.create('person', { name: 'Bob' })).id).to.equal('42');
  });

  it('hands states over, merges override files and skips what is no seed', async () => {
    await seed('person@demo@1.json', { name: 'Ann', ___workflowStatus: { w: { stage: 's' } } });
    await seed('person@demo@1.override.json', { age: 5 });
    await seed('nobody@demo@1.json', {});
    await seed('person@demo@4.json', '{');
    await seed('person@demo@x.json', { name: 'X' });
    await seed('shape@demo@1.json', {});
    await seed('person%40.json', {});
    expect(await run()).to.deep.equal({ created: 1, updated: 0, kept: 0 });
    expect((await get('1'))!['age']).to.equal(5);
    expect(states).to.deep.equal([['1', { w: { stage: 's' } }]]);
    expect(warnings.length).to.equal(5);
    await rm(join(data.folder, 'app'), { recursive: true });
    expect(await run()).to.deep.equal({ created: 0, updated: 0, kept: 0 });
  });
});
