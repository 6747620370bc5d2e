import { expect } from 'chai';
import { compileClasses } from './compile.ts';

type Definition = Readonly<Record<string, unknown>>;

const compile = (definitions: readonly Definition[], types: readonly Definition[] = []) =>
  compileClasses(
    {
      classes: definitions.map((content, index) => ({ file: `meta/${index}.class.json`, content })),
      types: types.map((content, index) => ({ file: `meta/types/${index}.type.json`, content })),
    },
    'demo',
  );

const text = (name: string, more: Definition = {}) => ({ name, type: 0, nullable: true, ...more });
const base = {
  name: 'base',
  key: ['guid'],
  semantic: 'title',
  container: 'box',
  abstract: true,
  creationTracker: 'made',
  properties: [
    { ...text('guid'), type: 12, orderNumber: 1 },
    text('title', { orderNumber: 5 }),
    { name: 'made', type: 9, orderNumber: 9 },
  ],
};

describe('compiling classes', () => {
  it('identifies a class by name and namespace, the application’s where none is named', () => {
    const { classes } = compile([
      { name: 'a', key: 'x', properties: [text('x')] },
      { name: 'a', namespace: 'other', key: 'x', properties: [text('x')] },
    ]);
    expect(classes.all().map(({ code }) => code)).to.deep.equal(['a@demo', 'a@other']);
    expect(classes.get('a')?.code).to.equal('a@demo');
    expect(classes.get('a')?.plain).to.include({ namespace: 'demo' });
    expect(classes.get('toString')).to.equal(undefined);
  });

  it('gives a class what its ancestors have; own attributes override by name', () => {
    const { classes, faults } = compile([
      { name: 'leaf', ancestor: 'middle', properties: [text('title', { caption: 'Mine', orderNumber: 5 })] },
      { name: 'middle', ancestor: 'base', properties: [text('extra', { orderNumber: 7 })] },
      base,
    ]);
    expect(faults).to.deep.equal([]);
    const leaf = classes.get('leaf')!;
    expect([...leaf.properties.keys()]).to.deep.equal(['guid', 'title', 'extra', 'made']);
    expect(leaf.properties.get('title')?.caption).to.equal('Mine');
    expect(classes.get('middle')?.properties.get('title')?.caption).to.equal('title');
    expect([...leaf.own]).to.deep.equal(['title']);
    expect(leaf.key).to.deep.equal(['guid']);
    expect(leaf.semantic).to.equal('title');
    expect(leaf.trackers.created).to.equal('made');
    expect(leaf.plain).to.not.have.property('container');
    expect(leaf.abstract).to.equal(false);
  });

  it('keeps a hierarchy in the root’s collection, and knows all below a class', () => {
    const { classes } = compile([{ name: 'leaf', ancestor: 'middle' }, { name: 'middle', ancestor: 'base' }, base]);
    expect(classes.all().map(({ collection }) => collection)).to.deep.equal(['base@demo', 'base@demo', 'base@demo']);
    expect(classes.get('base')?.family).to.have.members(['base@demo', 'middle@demo', 'leaf@demo']);
    expect(classes.get('middle')?.family).to.have.members(['middle@demo', 'leaf@demo']);
    expect(classes.get('base')?.descendants.map(({ code }) => code)).to.deep.equal(['middle@demo']);
  });

  it('names file and place of an unknown type, an unknown ancestor, a circle and a key that is no attribute', () => {
    const { faults } = compile([
      { name: 'a', key: ['x', 'y'], properties: [{ name: 'x', type: 99 }] },
      { name: 'b', ancestor: 'nobody' },
      { name: 'c', ancestor: 'd' },
      { name: 'd', ancestor: 'c' },
      { name: 'e', key: ['p.q'], properties: [text('p.q'), text('__proto__')] },
    ]);
    const said = faults.map(({ file, path }) => `${file} ${path}`);
    expect(said).to.have.members([
      'meta/0.class.json properties.0.type',
      'meta/0.class.json key',
      'meta/1.class.json ancestor',
      'meta/2.class.json ancestor',
      'meta/3.class.json ancestor',
      'meta/4.class.json properties.0.name',
      'meta/4.class.json properties.1.name',
    ]);
  });

  it('warns of an unknown target and of two files for one class, and goes on with the later', () => {
    const { classes, faults, warnings } = compile([
      { name: 'a', caption: 'First', key: ['x'], properties: [text('x')] },
      { name: 'a', caption: 'Second', key: ['x'], properties: [text('x'), { name: 'r', type: 13, refClass: 'gone' }] },
    ]);
    expect(faults).to.deep.equal([]);
    expect(warnings.map(({ file, path }) => `${file} ${path}`)).to.deep.equal([
      'meta/1.class.json name',
      'meta/1.class.json properties.1.refClass',
    ]);
    expect(classes.get('a')?.caption).to.equal('Second');
  });

  it('flattens a struct into <struct>$<attribute>, also one inside another', () => {
    const { classes } = compile([
      {
        name: 'a',
        key: ['x'],
        properties: [text('x'), { name: 'home', type: 16, refClass: 'address', nullable: true }],
      },
      {
        name: 'address',
        isStruct: true,
        properties: [
          { name: 'city', type: 0 },
          { name: 'at', type: 16, refClass: 'point' },
        ],
      },
      { name: 'point', isStruct: true, properties: [{ name: 'x', type: 7 }] },
    ]);
    const properties = [...classes.get('a')!.properties.values()];
    expect(properties.map(({ name }) => name)).to.deep.equal(['x', 'home$city', 'home$at$x']);
    expect(properties[1]).to.include({ nullable: true, struct: 'home' });
  });

  it('refuses a struct that holds itself', () => {
    const { faults } = compile([{ name: 's', isStruct: true, properties: [{ name: 'me', type: 16, refClass: 's' }] }]);
    expect(faults).to.have.length(1);
    expect(faults[0]?.message).to.contain('holds itself');
  });

  it('gives an attribute of a user type that type’s type and limits', () => {
    const { classes, warnings } = compile(
      [
        {
          name: 'a',
          key: ['x'],
          properties: [
            text('x'),
            { name: 'tel', type: 17, refClass: 'phone' },
            { name: 'odd', type: 17, refClass: 'gone' },
          ],
        },
      ],
      [{ name: 'phone', type: 0, size: 9, mask: '999', maskName: 'tel' }],
    );
    const tel = classes.get('a')!.properties.get('tel');
    expect(tel).to.include({ size: 9, userType: 'phone@demo' });
    expect(tel?.type.name).to.equal('string');
    expect(classes.userTypes.get('phone@demo')).to.include({ maskName: 'tel', mask: '999' });
    expect(warnings.map(({ path }) => path)).to.deep.equal(['properties.2.refClass']);
  });

  it('takes the target of a reference from the namespace of the class that has it', () => {
    const { classes } = compile([
      { name: 'a', namespace: 'other', key: ['x'], properties: [text('x'), { name: 'r', type: 13, refClass: 'b' }] },
      { name: 'b', namespace: 'other', key: ['n'], properties: [{ name: 'n', type: 6 }] },
    ]);
    expect(classes.get('a@other')?.properties.get('r')).to.include({ target: 'b@other' });
    expect(classes.get('a@other')?.properties.get('r')?.targetKey?.name).to.equal('integer');
  });

  it('reads numbers and flags that are written as text, and drops null keys', () => {
    const { classes, faults } = compile([
      {
        name: 'a',
        namespace: '',
        key: ['x'],
        semantic: null,
        properties: [{ name: 'x', type: '0', size: '20', nullable: 'true', unique: null, orderNumber: '1' }],
      },
    ]);
    expect(faults).to.deep.equal([]);
    expect(classes.get('a')?.properties.get('x')).to.include({ size: 20, nullable: true, unique: false });
  });

  it('keeps selection lists: fixed ones, and the rows of a matrix with their conditions', () => {
    const rows = [{ conditions: [{ property: 'x', operation: 0, value: ['1'] }], result: [{ key: 1, value: 'One' }] }];
    const { classes } = compile([
      {
        name: 'a',
        key: ['x'],
        properties: [
          text('x', {
            selectionProvider: {
              type: 'SIMPLE',
              list: [
                { key: 1, value: 'One' },
                { key: 'b', value: null },
              ],
            },
          }),
          text('y', { selectionProvider: { type: 'MATRIX', matrix: rows } }),
          text('z', { selectionProvider: { type: 'SIMPLE', list: [] } }),
        ],
      },
    ]);
    const { properties } = classes.get('a')!;
    expect([...properties.get('x')!.selection!.captions]).to.deep.equal([
      ['1', 'One'],
      ['b', 'b'],
    ]);
    expect(properties.get('y')?.selection?.rows[0]).to.deep.equal({
      when: rows[0]?.conditions,
      choices: [{ key: '1', caption: 'One' }],
    });
    expect(properties.get('z')?.selection).to.equal(undefined);
  });

  it('warns once of what is doubtful in an attribute: a name twice, a default that does not fit, a back reference to nothing', () => {
    const { classes, faults, warnings } = compile([
      {
        name: 'a',
        key: ['x'],
        properties: [
          text('x'),
          text('x'),
          { name: 'n', type: 6, defaultValue: 'many' },
          { name: 'bs', type: 14, itemsClass: 'a', backRef: 'gone' },
          { name: 'r', type: 13, refClass: 'a' },
        ],
      },
    ]);
    expect(faults).to.deep.equal([]);
    expect(warnings.map(({ path }) => path)).to.have.members([
      'properties.1',
      'properties.2.defaultValue',
      'properties.3.backRef',
    ]);
    expect(classes.get('a')?.properties.get('n')?.defaultValue).to.equal(undefined);
  });

  it('leaves out an index over an attribute that does not exist, with a warning', () => {
    const { classes, warnings } = compile([
      {
        name: 'a',
        key: ['x'],
        properties: [text('x'), text('y')],
        compositeIndexes: [{ properties: ['x', 'y'], unique: true }, { properties: ['x', 'z'] }],
      },
    ]);
    expect(classes.get('a')?.compositeIndexes).to.deep.equal([{ properties: ['x', 'y'], unique: true }]);
    expect(warnings.map(({ path }) => path)).to.deep.equal(['compositeIndexes.1']);
  });
});
