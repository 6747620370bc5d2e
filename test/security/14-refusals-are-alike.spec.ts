import { expect } from 'chai';
import { basic, startPortico, type RunningPortico } from '../support/start-portico.ts';
import { writeApplication } from '../support/write-application.ts';

const tries = 201;
const password = 'the-right-password';
const users = ['member', 'past-1'].map((id) => ({ id, type: 'local', pwd: password, disabled: id === 'past-1' }));

/** The cases that nobody may tell apart; the names are of one length, for some answers repeat them. */
const cases: Readonly<Record<string, readonly [user: string, password: string]>> = {
  'unknown account': ['nobody@local', password],
  'wrong password': ['member@local', 'a-wrong-password'],
  'disabled account': ['past-1@local', password],
};

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

describe('14. Unknown account, wrong password and disabled account: same status, body and time', () => {
  let portico: RunningPortico;
  let application: Awaited<ReturnType<typeof writeApplication>>;
  before(async () => {
    application = await writeApplication({
      'deploy.json': {
        namespace: 'alike',
        modules: { rest: { globals: { di: { open: { module: './open' } } } } },
      },
      'open.ts': `import { Service } from 'portico';
        export default class Open extends Service { routes(routes) { routes.add('GET', '/', () => 'in'); } }`,
      'acl/users.json': { users },
    });
    portico = await startPortico({
      application: application.folder,
      env: { AUTH_MAX_FAILURES: '100000', AUTH_ADDRESS_FAILURES: '100000' },
    });
  });
  after(async () => {
    await portico?.stop();
    await application?.remove();
  });

  const form = (username: string, secret: string) => new URLSearchParams({ username, password: secret });
  const split = (user: string) => user.split('@') as [string, string];
  const ways: Readonly<Record<string, (user: string, secret: string) => Promise<Response>>> = {
    'HTTP Basic': (user, secret) => portico.fetch('/rest/open', { headers: basic(user, secret) }),
    headers: (user, secret) => portico.fetch('/rest/open', { headers: { 'auth-user': user, 'auth-pwd': secret } }),
    'headers with a type': (user, secret) => {
      const headers = { 'auth-user': split(user)[0], 'auth-user-type': split(user)[1], 'auth-pwd': secret };
      return portico.fetch('/rest/open', { headers });
    },
    'sign-in with a form': (user, secret) => portico.fetch('/auth', { method: 'POST', body: form(user, secret) }),
    'sign-in with JSON': (user, secret) => {
      const body = JSON.stringify(Object.fromEntries(form(user, secret)));
      return portico.fetch('/auth', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    },
    'the token service': (user, secret) => portico.fetch('/rest/token', { headers: basic(user, secret) }),
  };

  /** All that is answered, but for what differs from call to call and what was sent. */
  async function shown(answer: Response, user: string): Promise<string> {
    const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    const id = answer.headers.get('x-request-id') ?? '';
    const text = `${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
    return text.replaceAll(id, '').replaceAll(encodeURIComponent(user), '').replaceAll(user, '');
  }

  for (const [name, way] of Object.entries(ways))
    it(`by ${name}: same status, headers and body`, async () => {
      expect((await way('member@local', password)).status, 'the right password').to.be.oneOf([200, 302, 403]);
      const answers = new Map<string, string>();
      for (const [what, [user, secret]] of Object.entries(cases))
        answers.set(what, await shown(await way(user, secret), user));
      answers.set('disabled and wrong', await shown(await way('past-1@local', 'a-wrong-password'), 'past-1@local'));
      expect(new Set(answers.values()).size, JSON.stringify([...answers], undefined, 1)).to.equal(1);
    });

  it(`same time over ${tries} tries: each does the work of one hash`, async function () {
    this.timeout(60_000);
    const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
    for (let count = 0; count < tries / 3; count += 1) {
      for (const [name, [user, secret]] of Object.entries(cases)) {
        const begin = performance.now();
        await (await ways['HTTP Basic']!(user, `${secret}${name === 'disabled account' ? '' : count}`)).arrayBuffer();
        times.get(name)!.push(performance.now() - begin);
      }
    }
    const medians = Array.from(times.values(), median);
    // without a hash an answer takes a tenth: the bound is far from both
    expect(Math.min(...medians) / Math.max(...medians), `medians ${medians.join(', ')} ms`).to.be.above(0.6);
  });
});
