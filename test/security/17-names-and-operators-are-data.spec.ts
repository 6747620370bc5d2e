import { expect } from 'chai';
import { basic, demo, startPortico, type RunningPortico } from '../support/start-portico.ts';

const editor = basic('editor@local', 'portico-demo');
const json = { 'content-type': 'application/json' };
const texts = '/rest/crud/class_string@demo';
const victim = { id: 'the-victim', string_text: 'untouched' };
const operators = ['$where', '$ne', '$gt', '$in', '$regex', '$expr', '$set', '$not', '$or', '$function', 'op', 'ne'];

interface Shown {
  readonly _id: string;
  readonly _creator: string;
  readonly _editor: string;
  readonly __class: string;
  readonly created: string;
  readonly changed: string;
  readonly string_text: string | null;
  readonly [name: string]: unknown;
}

/** Hostile members of an object, as the text of JSON: `__proto__` must be one of its names. */
const members: readonly string[] = [
  '"_creator": "root@local", "_editor": "root@local"',
  '"_creator": {"$ne": null}, "_editor": ["root@local"]',
  '"_class": "publication@demo", "__class": "publication@demo"',
  '"_class": {"$ne": null}, "__class": ["x"], "__classTitle": "Mine", "__string": "Mine"',
  '"_classVer": {"a": 1}, "_rev": 1, "_revision": 77, "revision": 77, "version": 77, "_doc": {"a": 1}',
  '"created": "1999-01-01T00:00:00Z", "changed": "1999-01-01T00:00:00Z"',
  '"created": {"$date": 0}, "changed": [1]',
  '"__proto__": {"string_text": "polluted", "admin": true}',
  '"constructor": {"prototype": {"string_text": "polluted"}}, "toString": "x", "hasOwnProperty": 1, "valueOf": null',
  '"string_text": {"__proto__": {"a": 1}}',
  '"string_text": ["in", "a", "list"]',
  '"string_text": {"toString": "x", "length": 5}',
  '"string_text": true',
  '"string_miltilinetext": {"a": {"b": {"c": 1}}}',
  '"keeper": {"$ne": "x"}',
  '"keeper": ["a"]',
  '"keeper.name": "x"',
  '"string_text.length": 1',
  '"data.string_text": "x", ".": 1, "..": 1, "": 1, "a.b.c": 1',
  '"user": {"id": "root@local"}, "as": "root@local", "identity": "root@local", "access": "unchecked", "trusted": true',
  '"options": {"access": "unchecked"}, "unlocked": ["created"], "op": "remove", "expect": 1, "told": "the-victim"',
  '"id": {"$ne": null}',
  '"id": ["the-victim"]',
  '"_id": {"$ne": null}',
  '"_id": ["the-victim"]',
  ...operators.map((operator) => `"${operator}": {"string_text": "operated", "id": "the-victim"}`),
  ...operators.map((operator) => `"string_text": {"${operator}": "operated"}`),
];

/** The same in the brackets of forms and queries. */
const fields: readonly string[] = [
  '_creator=root@local&_editor=root@local',
  '_class=publication@demo&__class=publication@demo',
  'created=1999-01-01&changed=1999-01-01',
  '__proto__[string_text]=polluted',
  'constructor[prototype][string_text]=polluted',
  'toString=x&hasOwnProperty=y',
  'string_text[]=a&string_text[]=b',
  'string_text=a&string_text=b',
  'string_text[__proto__][a]=b',
  'string_text[toString]=b',
  'keeper.name=x',
  'id[]=the-victim',
  '_id[$ne]=x',
  ...operators.flatMap((operator) => [`string_text[${operator}]=operated`, `${operator}[string_text]=operated`]),
];

describe('17. System names, __proto__, operators, dotted names and arrays in place of scalars are data or 400', () => {
  let portico: RunningPortico;
  let before_: { readonly victim: string; readonly count: number };
  before(async () => {
    portico = await startPortico();
    await send('POST', texts, JSON.stringify(victim), demo);
    before_ = await look();
  });
  after(() => portico?.stop());

  async function send(
    method: string,
    path: string,
    body: string | FormData | URLSearchParams,
    headers: Record<string, string> = editor,
  ) {
    const response = await portico.fetch(path, {
      method,
      headers: { ...(typeof body === 'string' ? json : {}), ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, text };
  }

  async function look() {
    const victimNow = await (await portico.fetch(`${texts}/${victim.id}`, { headers: demo })).text();
    const all = await portico.fetch('/rest/crud/publication@demo?_count=1&_total=1', { headers: demo });
    return { victim: victimNow, count: Number(all.headers.get('x-total-count')) };
  }

  /** Stored as the caller's own object of its class, or refused; and nobody else's object has changed. */
  async function checkWrite(
    { status, text }: { status: number; text: string },
    known: Partial<Shown> = {},
  ): Promise<void> {
    expect(status, text).to.be.oneOf([200, 207, 400]);
    expect(text).to.not.match(/root@local|polluted|1999-01-01/);
    expect(await look()).to.deep.equal(before_);
    if (status !== 200) return;
    const answered = JSON.parse(text) as Shown | readonly Shown[];
    const [{ _id: id }] = [answered].flat() as [Shown];
    const shown = (await (
      await portico.fetch(`${texts}/${encodeURIComponent(id)}`, { headers: demo })
    ).json()) as Shown;
    expect(shown).to.include({
      _creator: 'editor@local',
      _editor: 'editor@local',
      __class: 'class_string@demo',
      ...known,
    });
    expect(Date.now() - Date.parse(shown.created)).to.be.below(60_000);
    expect(Date.now() - Date.parse(shown.changed)).to.be.below(60_000);
    for (const name of ['string_text', 'string_miltilinetext', 'keeper'])
      expect(typeof shown[name]).to.be.oneOf(['string', 'object']);
    expect(JSON.stringify(shown)).to.not.match(/operated|root@local|polluted|Mine|unchecked/);
    expect(shown.string_text === null || typeof shown.string_text === 'string').to.equal(true);
  }

  const create = async (): Promise<Shown> =>
    JSON.parse((await send('POST', texts, '{"string_text":"own"}')).text) as Shown;

  for (const member of members) {
    it(`crud and acceptor, JSON: ${member}`, async () => {
      await checkWrite(await send('POST', texts, `{${member}}`));
      const own = await create();
      await checkWrite(await send('PATCH', `${texts}/${own._id}`, `{${member}}`), { _id: own._id });
      // of two equal names the later one counts: the class and key of ours come last
      const at = member.includes('"_id"') ? '' : `, "_id": "${own._id}"`;
      const accepted = `{${member}${at}${/"_class"/.test(member) ? '' : ', "_class": "class_string@demo"'}}`;
      if (!member.includes('publication@demo')) await checkWrite(await send('POST', '/rest/acceptor', `[${accepted}]`));
      const lines = await send('POST', '/rest/acceptor', `${accepted}\n`, {
        ...editor,
        'content-type': 'application/x-ndjson',
      });
      expect(lines.status).to.equal(200);
      expect(lines.text).to.match(/^\{"status":(200|400),/);
      if (!member.includes('publication@demo')) expect(await look()).to.deep.equal(before_);
    });
  }

  for (const field of fields) {
    it(`crud, form and multipart: ${field}`, async () => {
      const own = await create();
      const form = new URLSearchParams(field);
      const multipart = new FormData();
      for (const [name, value] of form) multipart.append(name, value);
      for (const body of [form, multipart]) {
        await checkWrite(await send('POST', texts, body));
        await checkWrite(await send('PATCH', `${texts}/${own._id}`, body), { _id: own._id });
      }
    });
  }

  it('a key that is named in the body of a change does not lead to another object', async () => {
    const own = await create();
    for (const body of ['{"_id":"the-victim","string_text":"x"}', '{"id":"the-victim","string_text":"x"}'])
      await checkWrite(await send('PATCH', `${texts}/${own._id}`, body), { _id: own._id });
    const renamed = JSON.stringify([{ _class: 'class_string@demo', _id: own._id, id: victim.id, string_text: 'x' }]);
    expect((await send('POST', '/rest/acceptor', renamed)).status).to.equal(400);
    expect(await look()).to.deep.equal(before_);
  });

  describe('in lists', () => {
    const everything = () => portico.fetch(`${texts}?_count=1000`, { headers: editor });
    /** Refused, or nothing found; never what an operator would have found. */
    const findsNothing = ({ status, text }: { status: number; text: string }) => {
      expect(status, text).to.be.oneOf([200, 400]);
      if (status === 200) expect(text).to.equal('[]');
    };
    before(async () => expect(((await (await everything()).json()) as unknown[]).length).to.be.above(10));

    const asked = [
      ...fields.filter((field) => !/^string_text=a|^created/.test(field)),
      '$where=1',
      '$where=sleep(5000)',
      '_creator=editor@local',
      'passwordHash=x',
    ];
    for (const query of asked)
      it(`address: ?${query}`, async () => {
        const response = await portico.fetch(`${texts}?_count=1000&${query}`, { headers: editor });
        findsNothing({ status: response.status, text: await response.text() });
      });

    const parameters = [
      '_sort=$where',
      '_sort[$ne]=1',
      '_sort=__proto__',
      '_sort=string_text.length',
      '_sort=keeper.name',
      '_fields=passwordHash',
      '_fields=_doc',
      '_fields[$ne]=1',
      '_eager=__proto__',
      '_eager=constructor',
      '_eager=keeper',
      '_eager[a]=b',
      '_count[$gt]=1',
      '_count=-1',
      '_count=1e3',
      '_count=0x10',
      '_count[]=5',
      '_offset=-1',
      '_offset=1.5',
      '_offset=99999999999999999999',
    ];
    for (const query of parameters)
      it(`parameters: ?${query}`, async () => {
        const response = await portico.fetch(`${texts}?${query}`, { headers: editor });
        expect(response.status, await response.text()).to.equal(400);
      });

    const filters: readonly string[] = [
      ...operators
        .filter((operator) => operator !== '$not') // one that filters have
        .map((operator) => `{"${operator}": {"string_text": "untouched"}}`),
      ...operators.flatMap((operator) => [
        `{"string_text": {"$eq": {"${operator}": ""}}}`,
        `{"eq": ["$string_text", {"${operator}": ""}]}`,
      ]),
      ...['$where', '$expr', '$set', '$function', '$type', '$exists', '$options', '__proto__', 'constructor'].map(
        (operator) => `{"string_text": {"${operator}": "x"}}`,
      ),
      '{"$where": "sleep(5000)"}',
      '{"$expr": {"$eq": [1, 1]}}',
      '{"string_text": {"$regex": "(a+)+$"}}',
      '{"string_text": {"$regex": {"$ne": 1}}}',
      '{"string_text": ["untouched"]}',
      '{"eq": ["$string_text", "$string_text"]}',
      '{"eq": ["$string_text", ["untouched"]]}',
      '{"eq": ["$__proto__", "x"]}',
      '{"eq": ["$constructor.name", "Object"]}',
      '{"eq": ["$_creator", "demo@local"]}',
      '{"eq": ["$_class", "publication@demo"]}',
      '{"eq": ["$keeper.passwordHash", "x"]}',
      '{"op": "some", "reach": {"kind": "reference", "path": "id", "collection": "accounts", "target": "x"}, "part": {"op": "all"}}',
      '{"op": "eq", "path": "_class", "value": "class_string@demo"}',
      '{"op": "match", "path": "string_text", "pieces": [""], "start": false, "end": false}',
      '[{"property": "__proto__", "operation": 1, "value": ["x"]}]',
      '[{"property": "string_text", "operation": "__proto__", "value": ["x"]}]',
      '[{"property": ["string_text"], "operation": 0, "value": ["untouched"]}]',
      '[{"property": "string_text", "operation": 99, "value": []}]',
      '"string_text"',
      '5',
    ];
    for (const filter of filters)
      it(`search: ${filter}`, async () => {
        for (const [method, path] of [
          ['SEARCH', texts],
          ['POST', `${texts}/_search`],
        ] as const)
          findsNothing(await send(method, path, `{"filter": ${filter}, "count": 1000}`));
      });

    it('search: __proto__ in a body is refused', async () => {
      for (const filter of ['{"__proto__": {"string_text": "x"}}', '{"string_text": {"__proto__": {"$ne": 1}}}'])
        expect((await send('SEARCH', texts, `{"filter": ${filter}}`)).status).to.equal(400);
    });

    it('search: an attribute of the type password is neither compared nor sorted by', async () => {
      for (const search of [
        '{"filter": {"secret": {"$gt": ""}}}',
        '{"filter": {"nempty": ["$secret"]}}',
        '{"sort": {"secret": 1}}',
      ])
        expect((await send('SEARCH', '/rest/crud/sample@demo', search)).status, search).to.equal(400);
    });

    for (const list of ['/rest/string-list', '/rest/legacy-list'])
      it(`${list}: an operator, a list or a number for a text is refused, an attribute's name is text`, async () => {
        for (const value of [...operators.map((operator) => `{"${operator}": ""}`), '["untouched"]', '5', 'true'])
          expect((await send('POST', list, `{"string_text": ${value}}`)).status, value).to.equal(400);
        for (const field of ['string_text[$ne]=x', 'string_text[]=untouched'])
          expect((await send('POST', list, new URLSearchParams(field))).status, field).to.equal(400);
        for (const value of ['"$string_text"', '"\' or 1=1 --"', '"%"', '"*"', '".*"'])
          expect((await send('POST', list, `{"string_text": ${value}}`)).text, value).to.equal('[]');
      });
  });
});
