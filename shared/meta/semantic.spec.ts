import { expect } from 'chai';
import type { Doc } from '#stores/object-store.ts';
import type { Loaded, Lookup } from './class.ts';
import { compileClasses } from './compile.ts';
import { renderTitle } from './semantic.ts';

const letter = (semantic: string) => ({
  name: 'letter',
  key: ['no'],
  semantic,
  properties: [
    { name: 'no', type: 6 },
    { name: 'subject', type: 0 },
    { name: 'at', type: 9 },
    { name: 'state', type: 0, selectionProvider: { type: 'SIMPLE', list: [{ key: 'd', value: 'Draft' }] } },
    { name: 'desk', type: 13, refClass: 'desk' },
    { name: 'answers', type: 13, refClass: 'letter' },
    { name: 'loud', type: 0, formula: { upper: ['$subject'] } },
    { name: 'copies', type: 14, itemsClass: 'desk' },
    { name: 'word', type: 11 },
  ],
});
const desk = {
  name: 'desk',
  key: ['code'],
  semantic: 'name| desk',
  properties: [
    { name: 'code', type: 0 },
    { name: 'name', type: 0 },
  ],
};

const doc: Doc = {
  no: 7,
  subject: 'Paper',
  at: '2025-10-03T08:05:30.000Z',
  state: 'd',
  desk: 'fin',
  answers: '7',
  copies: ['fin', 'gone'],
  word: 'sesame',
};

function title(semantic: string, of: Doc = doc): string {
  const { classes } = compileClasses(
    {
      classes: [
        { file: 'a', content: letter(semantic) },
        { file: 'b', content: desk },
      ],
      types: [],
    },
    'demo',
  );
  const known = new Map<string, Loaded>([
    ['desk@demo fin', { id: 'fin', itsClass: classes.get('desk')!, doc: { code: 'fin', name: 'Finance' } }],
    ['letter@demo 7', { id: '7', itsClass: classes.get('letter')!, doc: of }],
  ]);
  const lookup: Lookup = {
    object: (target, id) => known.get(`${target} ${id}`),
    items: (object, { name, target }) =>
      ((object.doc[name] ?? []) as readonly string[]).flatMap((id) => known.get(`${target} ${id}`) ?? []),
  };
  return renderTitle({ id: '7', itsClass: classes.get('letter')!, doc: of }, lookup);
}

describe('titles', () => {
  const table: readonly (readonly [string, string])[] = [
    ['subject', 'Paper'],
    ['no|/|subject', '7/Paper'],
    [' no | – | subject ', '7 – Paper'],
    ['subject[1,3]', 'ape'],
    ['subject[ 2 ]|!', 'per!'],
    ['at', '2025-10-03 08:05'],
    ['state', 'Draft'],
    ['desk', 'Finance desk'],
    ['desk.name', 'Finance'],
    ['desk.code|, |desk.gone', 'fin, desk.gone'],
    ['loud', 'PAPER'],
    ['copies', 'Finance desk'],
    ['nothing|subject', 'nothingPaper'],
    ['constructor|subject', 'constructorPaper'],
    ['subject|word', 'Paper'],
    ['', '7'],
  ];
  for (const [semantic, expected] of table) {
    it(`"${semantic}" is shown as "${expected}"`, () => expect(title(semantic)).to.equal(expected));
  }

  it('show nothing for null, and the key where nothing is left', () => {
    expect(title('subject|desk|no', { no: 7, subject: null })).to.equal('7');
    expect(title('subject', { no: 7 })).to.equal('7');
  });

  it('show the key of a reference that is not there, and end where references run in a circle', () => {
    expect(title('desk', { ...doc, desk: 'lost' })).to.equal('lost');
    expect(title('subject|>|answers')).to.match(/^(Paper>){2,10}7$/);
  });
});
