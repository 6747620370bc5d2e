import { expect } from 'chai';
import * as fc from 'fast-check';
import { AppError } from '#errors.ts';
import { compileClasses } from '#meta/compile.ts';
import { parseFilter } from './parse-filter.ts';
import { parseQueryFilter } from './query-filter.ts';
import { parseRegex } from './regex.ts';

const text = (name: string, more: object = {}) => ({ name, type: 0, nullable: true, ...more });
const { classes } = compileClasses(
  {
    classes: [
      { file: 'root', content: { name: 'root', key: ['guid'], properties: [text('guid'), text('title')] } },
      {
        file: 'book',
        content: {
          name: 'book',
          ancestor: 'root',
          properties: [
            text('name'), text('in'), { name: 'pages', type: 6 }, { name: 'price', type: 8 }, { name: 'due', type: 9 }, { name: 'lent', type: 10 },
            { name: 'shelf', type: 13, refClass: 'shelf' }, { name: 'also', type: 14, itemsClass: 'shelf' },
            { name: 'notes', type: 14, itemsClass: 'note', backRef: 'book' }, { name: 'tags', type: 15 }, { name: 'word', type: 11 },
            { name: 'scan', type: 5 }, { name: 'spot', type: 100 }, { name: 'count', type: 6, formula: { count: ['$notes'] } },
            { name: 'kept', type: 6, cached: true, formula: { count: ['$notes'] } },
          ],
        },
      },
      { file: 'shelf', content: { name: 'shelf', key: ['no'], properties: [{ name: 'no', type: 6 }, text('room'), { name: 'books', type: 14, itemsClass: 'book', backRef: 'shelf' }] } },
      { file: 'note', content: { name: 'note', key: ['guid'], properties: [text('guid'), text('text'), { name: 'book', type: 13, refClass: 'book' }, { name: 'at', type: 9 }] } },
    ],
    types: [],
  },
  'demo',
); // prettier-ignore
const book = classes.get('book')!;
const parse = (raw: unknown) => parseFilter(raw, book, classes);

const shelf = { kind: 'reference', path: 'shelf', collection: 'shelf@demo', target: 'shelf@demo' };
const also = { ...shelf, kind: 'list', path: 'also' };
const notes = { kind: 'back', path: 'book', collection: 'note@demo', target: 'note@demo' };
const eq = (path: string, value: unknown) => ({ op: 'eq', path, value });

describe('filters', () => {
  /** The tree, and every way to write it. */
  const table: readonly (readonly [object, ...unknown[]])[] = [
    [{ op: 'all' }, {}, null, [], { and: [] }, { op: 'all' }],
    [eq('name', 'a'), { eq: ['$name', 'a'] }, { name: { $eq: 'a' } }, { name: 'a' }, [{ property: 'name', operation: 0, value: ['a'] }], eq('name', 'a')],
    [{ op: 'not', part: eq('name', 'a') }, { ne: ['$name', 'a'] }, { name: { $ne: 'a' } }, { not: { eq: ['$name', 'a'] } }, { $not: { name: 'a' } }, { name: { $not: { $eq: 'a' } } }, [{ property: 'name', operation: 1, value: 'a' }]],
    [{ op: 'lt', path: 'pages', value: 5 }, { lt: ['$pages', 5] }, { lt: ['$pages', '5'] }, { pages: { $lt: 5 } }, [{ property: 'pages', operation: 5, value: 5 }]],
    [{ op: 'gt', path: 'pages', value: 5 }, { gt: ['$pages', 5] }, { pages: { $gt: 5 } }, [{ property: 'pages', operation: 6, value: 5 }]],
    [{ op: 'lte', path: 'pages', value: 5 }, { lte: ['$pages', 5] }, { pages: { $lte: 5 } }, [{ property: 'pages', operation: 7, value: 5 }]],
    [{ op: 'gte', path: 'pages', value: 5 }, { gte: ['$pages', 5] }, { pages: { $gte: 5 } }, [{ property: 'pages', operation: 8, value: 5 }]],
    [{ op: 'in', path: 'name', values: ['a', 'b'] }, { in: ['$name', ['a', 'b']] }, { in: ['$name', 'a', 'b'] }, { name: { $in: ['a', 'b'] } }, [{ property: 'name', operation: 9, value: ['a', 'b'] }]],
    [{ op: 'like', path: 'name', text: 'ОБ' }, { like: ['$name', 'ОБ'] }, [{ property: 'name', operation: 4, value: 'ОБ' }]],
    [{ op: 'empty', path: 'name' }, { empty: ['$name'] }, { empty: '$name' }, [{ property: 'name', operation: 2 }]],
    [{ op: 'not', part: { op: 'empty', path: 'name' } }, { nempty: ['$name'] }, [{ property: 'name', operation: 3 }]],
    [{ op: 'and', parts: [eq('name', 'a'), eq('pages', 1)] }, { and: [{ eq: ['$name', 'a'] }, { pages: 1 }] }, { $and: [{ name: 'a' }, { pages: 1 }] }, { name: 'a', pages: '1' }, [{ property: 'name', operation: 0, value: 'a' }, { property: 'pages', operation: 0, value: '1' }]],
    [{ op: 'or', parts: [eq('name', 'a'), eq('pages', 1)] }, { or: [{ eq: ['$name', 'a'] }, { pages: 1 }] }, { $or: [{ name: 'a' }, { pages: 1 }] }, [{ property: null, operation: 1, nestedConditions: [{ property: 'name', operation: 0, value: 'a' }, { property: 'pages', operation: 0, value: 1 }] }]],
    [{ op: 'some', reach: notes, part: eq('text', 'x') }, { contains: ['$notes', { eq: ['$text', 'x'] }] }, [{ property: 'notes', operation: 10, nestedConditions: [{ property: 'text', operation: 0, value: 'x' }] }]],
    [{ op: 'some', reach: shelf, part: eq('room', 'x') }, { eq: ['$shelf.room', 'x'] }, { 'shelf.room': 'x' }, [{ property: 'shelf.room', operation: 0, value: 'x' }]],
    [eq('price', '2500115'), { eq: ['$price', 1.5] }, { price: '1.50' }],
    [eq('due', '2025-10-03T00:00:00.000Z'), { eq: ['$due', '2025-10-03'] }, { due: new Date('2025-10-03') }],
    [eq('shelf', '7'), { eq: ['$shelf', 7] }, { shelf: '7' }],
    [eq('_id', 'k'), { eq: ['$_id', 'k'] }, { id: 'k' }],
    [{ op: 'has', path: 'also', value: '7' }, { eq: ['$also', 7] }, { contains: ['$also', 7] }],
    [{ op: 'has', path: 'tags', value: 'new' }, { eq: ['$tags', 'new'] }, { contains: ['$tags', 'new'] }],
    [{ op: 'some', reach: also, part: eq('room', 'x') }, { contains: ['$also', { room: 'x' }] }, { eq: ['$also.room', 'x'] }],
    [{ op: 'some', reach: notes, part: eq('_id', 'n') }, { eq: ['$notes', 'n'] }, { contains: ['$notes', 'n'] }],
    [{ op: 'not', part: { op: 'some', reach: notes, part: { op: 'all' } } }, { empty: ['$notes'] }, { eq: ['$notes', null] }],
    [eq('kept', 3), { kept: 3 }],
    [eq('name', '$title'), { eq: ['$name', '$title'] }, { name: { $eq: '$title' } }],
    [{ op: 'match', path: 'name', pieces: ['a.b', 'c'], start: true, end: true }, { name: { $regex: '^a\\.b.*c$' } }],
    [eq('in', 'x'), { in: { $eq: 'x' } }, { eq: ['$in', 'x'] }],
  ]; // prettier-ignore
  for (const [tree, ...ways] of table) {
    for (const way of ways) {
      it(`reads ${JSON.stringify(way)}`, () => expect(parse(way)).to.deep.equal(tree));
    }
  }

  it('take literal text with ^, $ and .* as a pattern', () => {
    const pattern = (source: string) => {
      const { pieces, start, end } = parseRegex(source);
      return [start, ...pieces, end];
    };
    expect(pattern('a')).to.deep.equal([false, 'a', false]);
    expect(pattern('^a-b/c d$')).to.deep.equal([true, 'a-b/c d', true]);
    expect(pattern('^.*a.*$')).to.deep.equal([false, 'a', false]);
    expect(pattern('a.*.*b')).to.deep.equal([false, 'a', 'b', false]);
    expect(pattern('\\^\\$\\\\')).to.deep.equal([false, '^$\\', false]);
    expect(pattern('^$')).to.deep.equal([true, '', true]);
    for (const source of ['a|b', '[a]', 'a?', 'a+', 'a*', '(a)', 'a{2}', '\\w', 'a\\', 'a$b', 'a^']) {
      expect(() => parseRegex(source), source).to.throw(AppError);
    }
  });

  it('count what is missing on the way to an attribute as null', () => {
    const isNull = { op: 'not', part: { op: 'some', reach: shelf, part: { op: 'not', part: eq('room', null) } } };
    expect(parse({ eq: ['$shelf.room', null] })).to.deep.equal(isNull);
    expect(parse({ ne: ['$shelf.room', null] })).to.deep.equal(isNull.part);
    expect(parse({ ne: ['$shelf.room', 'x'] })).to.deep.equal({
      op: 'not',
      part: { op: 'some', reach: shelf, part: eq('room', 'x') },
    });
  });

  it('reach only objects of the target where several classes share a store', () => {
    const found = parseFilter({ contains: ['$books', { name: 'a' }] }, classes.get('shelf')!, classes);
    expect(found).to.deep.equal({
      op: 'some',
      reach: { kind: 'back', path: 'shelf', collection: 'root@demo', target: 'book@demo' },
      part: { op: 'and', parts: [{ op: 'in', path: '_class', values: ['book@demo'] }, eq('name', 'a')] },
    });
  });

  const refused: readonly (readonly [unknown, string])[] = [
    [{ eq: ['$gone', 1] }, 'gone'],
    [{ gone: 1 }, 'gone'],
    [{ 'shelf.gone': 1 }, 'shelf.gone'],
    [{ 'name.length': 1 }, 'name.length'],
    [{ __proto__2: 1 }, '__proto__2'],
    [JSON.parse('{"__proto__": {"name": "a"}}'), '__proto__'],
    [{ constructor: 'a' }, 'constructor'],
    [{ _class: 'root@demo' }, '_class'],
    [{ _creator: 'demo@local' }, '_creator'],
    [{ $where: 'sleep(1)' }, '$where'],
    [{ name: { $where: 'x' } }, '$where'],
    [{ name: { $exists: true } }, '$exists'],
    [{ name: { $eq: 'a', $options: 'i' } }, '$options'],
    [{ name: { $eq: { $ne: null } } }, 'name'],
    [{ eq: ['$name', { $ne: null }] }, 'name'],
    [{ eq: ['$name', ['a']] }, 'name'],
    [{ name: ['a'] }, 'name'],
    [{ name: {} }, 'name'],
    [{ name: undefined }, 'name'],
    [{ eq: ['name', 'a'] }, 'name'],
    [{ eq: ['a', '$name'] }, 'a'],
    [{ eq: ['$name'] }, 'eq'],
    [{ eq: '$name' }, 'eq'],
    [{ empty: ['$name', '$title'] }, 'empty'],
    [{ foo: ['$name', 'a'] }, 'foo'],
    [{ pages: 'x' }, 'pages'],
    [{ pages: 1.5 }, 'pages'],
    [{ pages: { $in: [1, 'x'] } }, 'pages'],
    [{ pages: { $in: 1 } }, 'pages'],
    [{ name: 5 }, 'name'],
    [{ due: 'tomorrow' }, 'due'],
    [{ lent: 'yes' }, 'lent'],
    [{ like: ['$pages', '1'] }, 'pages'],
    [{ like: ['$name', 5] }, 'name'],
    [{ lt: ['$lent', true] }, 'lent'],
    [{ lt: ['$shelf', 3] }, 'shelf'],
    [{ lt: ['$tags', 'a'] }, 'tags'],
    [{ lt: ['$name', null] }, 'lt'],
    [{ word: 'sesame' }, 'password'],
    [{ scan: 'x' }, 'scan'],
    [{ spot: { $eq: { type: 'Point', coordinates: [1, 2] } } }, 'spot'],
    [{ count: 3 }, 'calculated'],
    [{ contains: ['$name', { eq: ['$x', 1] }] }, 'name'],
    [{ name: { $regex: '(a+)+' } }, '$regex'],
    [{ name: { $regex: 'a.b' } }, '$regex'],
    [{ name: { $regex: '\\d' } }, '$regex'],
    [{ $or: { name: 'a' } }, '$or'],
    [[{ property: 'name', operation: 99, value: 'a' }], '99'],
    [[{ property: 'gone', operation: 0, value: 'a' }], 'gone'],
    [{ op: 'eq', path: '_class', value: 'x' }, '_class'],
    [{ op: 'some', reach: notes, part: { op: 'all' } }, 'some'],
    ['name', 'name'],
    [5, '5'],
  ];
  for (const [raw, named] of refused) {
    it(`${JSON.stringify(raw)} is a 400 that names ${named}`, () => {
      let error: unknown;
      try {
        parse(raw);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).to.be.instanceOf(AppError);
      expect(error).to.include({ status: 400 });
      expect((error as AppError).faults[0]?.message).to.contain(named);
    });
  }

  it('end at 50 levels and at too many comparisons, whatever the size', () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? { name: 'a' } : { or: [nested(levels - 1), { pages: 1 }] };
    expect(parse(nested(49))).to.have.property('op', 'or');
    expect(() => parse(nested(51))).to.throw(AppError, '50 levels');
    expect(() => parse(nested(5000))).to.throw(AppError, '50 levels');
    expect(() => parse({ or: Array.from({ length: 10_000 }, (_, n) => ({ pages: n })) })).to.throw(
      AppError,
      'comparisons',
    );
    expect(parse({ in: ['$pages', Array.from({ length: 10_000 }, (_, n) => n)] }))
      .to.have.property('values')
      .with.length(10_000);
    expect(() => parse({ in: ['$pages', Array.from({ length: 10_001 }, (_, n) => n)] })).to.throw(AppError, '10000');
  });

  it('give a tree or a 400 for any JSON, never another error', () => {
    const words = fc.constantFrom(
      'name',
      '$name',
      'pages',
      'eq',
      'and',
      'not',
      '$or',
      '$in',
      'op',
      'path',
      'value',
      'parts',
      'property',
      'operation',
      '__proto__',
      'contains',
      'notes',
    );
    const json = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 5 }, fc.oneof(words, fc.integer(), fc.constant(null), fc.boolean()), fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(words, tie('tree'), { maxKeys: 3 })),
    })).tree; // prettier-ignore
    fc.assert(
      fc.property(json, (raw) => {
        try {
          parse(raw);
        } catch (error) {
          expect(error).to.be.instanceOf(AppError).with.property('status', 400);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('carry a text of any content as a value and nothing else', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0')),
        (value) => {
          for (const way of [
            { eq: ['$name', value] },
            { name: value },
            { name: { $eq: value } },
            [{ property: 'name', operation: 0, value }],
          ]) {
            expect(parse(way)).to.deep.equal(eq('name', value));
          }
        },
      ),
    );
  });
});

describe('filters in an address', () => {
  const query = (raw: Record<string, unknown>) => parseQueryFilter(raw, book, classes);

  it('are equalities; the parameters of lists are none', () => {
    expect(query({ _count: '5', _offset: '1', _sort: 'a', 'eager[]': 'x' })).to.equal('nothing');
    expect(query({ _count: '5', '_eager[]': 'notes', _total: '1' })).to.deep.equal({ op: 'all' });
    expect(query({ name: 'a', pages: '5' })).to.deep.equal({ op: 'and', parts: [eq('name', 'a'), eq('pages', 5)] });
    expect(query({ 'shelf.room': 'x' })).to.deep.equal({ op: 'some', reach: shelf, part: eq('room', 'x') });
    expect(query({ _id: 'k' })).to.deep.equal(eq('_id', 'k'));
    expect(query({ name: '$in' })).to.deep.equal(eq('name', '$in'));
  });

  it('match nothing when a name is no attribute', () => {
    for (const name of ['gone', '__proto__2', 'constructor', '_class', '_creator', '$where', 'name.x'])
      expect(query({ [name]: 'x' }), name).to.equal('nothing');
  });

  it('ask for objects without a value where an attribute that is no text is left empty', () => {
    expect(query({ pages: '', name: '' })).to.deep.equal({ op: 'and', parts: [eq('pages', null), eq('name', '')] });
  });

  it('are a 400 when the value is no plain one or of a wrong type', () => {
    for (const raw of [{ name: ['a', 'b'] }, { name: { $ne: 'a' } }, { pages: 'x' }, { count: '1' }, { word: 'x' }])
      expect(() => query(raw), JSON.stringify(raw)).to.throw(AppError);
  });
});
