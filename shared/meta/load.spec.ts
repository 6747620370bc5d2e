import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { loadClasses, MetadataError, readMetadata } from './load.ts';

describe('loading class files', () => {
  let folder = '';
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'portico-meta-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, 'meta', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  const logged: string[] = [];
  const load = () => loadClasses(folder, 'demo', { warn: (message) => void logged.push(message) });
  const simple = (name: string, more: object = {}) => ({
    name,
    key: ['x'],
    properties: [{ name: 'x', type: 0 }],
    ...more,
  });

  it('reads JSON and YAML in any folder, and user types only in meta/types', async () => {
    await write({
      'a.class.json': `\uFEFF${JSON.stringify(simple('a'))}`,
      'deep/down/any-name.class.yml': 'name: b\nkey: [x]\nproperties: [{name: x, type: 17, refClass: t}]',
      'types/t.type.json': { name: 't', type: 6 },
      'types/lost.class.json': simple('lost'),
      'notes.json': 'not a class',
    });
    const classes = await load();
    expect(classes.all().map(({ name }) => name)).to.have.members(['a', 'b']);
    expect(classes.get('b')?.properties.get('x')?.type.name).to.equal('integer');
  });

  it('merges an override over its file: properties by name, lists replaced', async () => {
    await write({
      'a.class.json': simple('a', { caption: 'Old', version: '1' }),
      'a.class.override.json': {
        caption: 'New',
        properties: [
          { name: 'x', size: 5 },
          { name: 'y', type: 6 },
        ],
      },
      'b.class.json': simple('b'),
      'b.override.json': { key: ['y'], properties: [{ name: 'y', type: 0 }] },
    });
    const classes = await load();
    expect(classes.get('a')).to.include({ caption: 'New', version: '1' });
    expect(classes.get('a')?.properties.get('x')).to.include({ size: 5 });
    expect(classes.get('b')?.key).to.deep.equal(['y']);
  });

  it('takes the later by name of two files for one class, and says so', async () => {
    await write({
      'b.class.json': simple('same', { caption: 'Later' }),
      'a.class.json': simple('same', { caption: 'Earlier' }),
    });
    expect((await load()).get('same')?.caption).to.equal('Later');
    expect(logged.at(-1)).to.contain('meta/b.class.json').and.contain('meta/a.class.json');
  });

  it('rejects with every fault of every file, each with its file and place', async () => {
    await write({
      'a.class.json': '{"name": ',
      'b.class.json': simple('b', { ancestor: 'nobody' }),
      'c.class.json': { key: ['x'] },
    });
    const error = await load().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MetadataError);
    const { message } = error as MetadataError;
    expect(message)
      .to.contain('meta/a.class.json')
      .and.contain('meta/b.class.json: ancestor: there is no class nobody@demo')
      .and.contain('meta/c.class.json: name');
  });

  it('has no classes where there is no meta folder', async () => {
    expect((await load()).all()).to.deep.equal([]);
  });

  it('finds nothing wrong with the demo, which has every property type', async () => {
    const { classes, faults, warnings } = await readMetadata(
      join(import.meta.dirname, '../../applications/demo'),
      'demo',
    );
    expect({ faults, warnings }).to.deep.equal({ faults: [], warnings: [] });
    const codes = classes
      .all()
      .flatMap(({ plain }) => (plain['properties'] as { type: number }[]).map(({ type }) => type));
    expect(new Set(codes).size).to.equal(23);
  });
});
