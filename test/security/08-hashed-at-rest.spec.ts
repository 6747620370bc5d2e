import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { allow, codeOf, makePkce } from '../support/browser-session.ts';
import { basic, demo, signIn, startPortico, type RunningPortico } from '../support/start-portico.ts';

const redirectUri = 'http://127.0.0.1:9/back';
const json = { 'content-type': 'application/json' };

/** Everything below a folder, by path, as the bytes on the disk: databases, their logs, files. */
async function dump(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
}

/** How a secret may lie in a file without being hidden by it. */
const spellings = (secret: string): readonly Buffer[] => [
  Buffer.from(secret),
  Buffer.from(secret, 'utf16le'),
  Buffer.from(Buffer.from(secret).toString('hex')),
  // the text of all three alignments, without the signs that depend on what stands beside it
  ...[0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'-'.repeat(shift)}${secret}`).toString('base64url');
    return Buffer.from(encoded.slice(shift === 0 ? 0 : shift + 1, -2));
  }),
];

describe('8. Tokens, client secrets and passwords are hashed at rest: a dump of both stores holds no usable credential', () => {
  let portico: RunningPortico;
  const secrets = new Map<string, string>();
  const marker = 'this text is no secret and must be found';

  const keep = (name: string, secret: string): string => {
    expect(secret, name).to.have.length.of.at.least(12);
    secrets.set(name, secret);
    return secret;
  };

  async function useEverything(): Promise<void> {
    const password = keep('password of a person', 'correct-horse-battery-1');
    expect((await portico.cliWith(`${password}\n`, 'user', 'add', 'kim@local', '--role', 'admin')).code).to.equal(0);
    const made = await portico.cli('client', 'create', 'app', '--redirect-uri', redirectUri, '--json');
    const secret = keep('client secret', (JSON.parse(made.out) as { secret: string }).secret);
    const client = basic('app@system', secret);

    const cookie = await signIn(portico, 'kim@local', password);
    const value = cookie.slice(cookie.indexOf('=') + 1);
    keep('session cookie', value);
    keep('session id', value.split('.')[0]!);
    for (const ask of [
      () => portico.fetch('/rest/token', { headers: basic('kim@local', password) }),
      () => portico.fetch('/rest/token', { headers: { ...json, ...demo }, method: 'POST', body: '{"ttl":60}' }),
    ])
      keep(`service token ${secrets.size}`, await (await ask()).text());

    const pkce = makePkce();
    const query = {
      client_id: 'app@system',
      scope: 'openid profile self offline_access',
      state: marker,
      ...pkce.query,
    };
    const exchange = async (form: Record<string, string>) => {
      const answer = await portico.fetch('/oauth2/token', {
        method: 'POST',
        headers: client,
        body: new URLSearchParams(form),
      });
      const body = (await answer.json()) as Record<string, string>;
      expect(answer.status, JSON.stringify(body)).to.equal(200);
      for (const name of ['access_token', 'refresh_token', 'id_token']) keep(`${name} ${secrets.size}`, body[name]!);
      return body;
    };
    keep('code that was not used', codeOf(await allow(portico, cookie, query)));
    const code = keep('code', codeOf(await allow(portico, cookie, query)));
    keep('verifier', pkce.verifier);
    const first = await exchange({ grant_type: 'authorization_code', code, code_verifier: pkce.verifier });
    const second = await exchange({ grant_type: 'refresh_token', refresh_token: first['refresh_token']! });
    await portico.fetch('/rest/echo-oauth', {
      method: 'POST',
      headers: { authorization: `Bearer ${second['access_token']}` },
    });
    await portico.fetch('/registry-ajax-api/rest/echo-token', { headers: { cookie } });
  }

  /** What a person or a program gets wrong. */
  async function useInWrongPlaces(): Promise<void> {
    const cookie = await signIn(portico, 'demo@local');
    keep('second session', cookie.slice(cookie.indexOf('=') + 1));
    const typed = keep('password in the field of the account', 'wrong-field-password-2');
    await portico.fetch('/auth', { method: 'POST', body: new URLSearchParams({ username: typed, password: 'x' }) });
    await portico.fetch('/rest/simple', { headers: basic(typed, 'x') });
    await portico.fetch('/rest/simple', { headers: basic('demo@local', keep('guess', 'a-wrong-guess-of-mine')) });
    await portico.fetch(`/rest/simple?password=${keep('in the address', 'password-in-query-3')}`, { headers: demo });
    await portico.fetch('/rest/echo-token', { headers: { 'auth-token': keep('unknown token', 'abcd0123'.repeat(5)) } });
    await portico.fetch(`/oauth2/token?client_secret=${keep('in the address of OAuth', 'client-secret-query-4')}`, {
      method: 'POST',
    });
    const word = keep('attribute of the type password', 'secret-word-of-a-sample');
    const again = { ...demo, ...json, 'idempotency-key': keep('idempotency key', 'idempotency-key-0001') };
    for (const status of [200, 200]) {
      const body = JSON.stringify({ name: marker, secret: word });
      secrets.set('quick digest of a body with a password', createHash('sha256').update(body).digest('base64url'));
      const created = await portico.fetch('/rest/crud/sample@demo', { method: 'POST', headers: again, body });
      const answered = await created.text();
      expect(created.status, answered).to.equal(status);
      expect(answered).to.not.include(word);
    }
  }

  before(async function () {
    this.timeout(30_000);
    portico = await startPortico();
    await useEverything();
    await useInWrongPlaces();
  });
  after(() => portico?.stop());

  async function check(): Promise<void> {
    const files = await dump(portico.data);
    expect([...files.keys()].some((path) => path.endsWith('-wal'))).to.equal(true);
    const all = [...files.values()];
    expect(all.some((bytes) => bytes.includes(marker))).to.equal(true);
    secrets.set('password of the demo', 'portico-demo');
    for (const [name, secret] of secrets)
      for (const [path, bytes] of files)
        for (const spelling of spellings(secret))
          expect(bytes.includes(spelling), `${name} in ${path} as ${spelling.toString()}`).to.equal(false);
  }

  it('while it runs, write-ahead logs included', check);

  it('nobody else on the machine reads the files', async () => {
    for (const path of [portico.data, ...(await dump(portico.data)).keys()])
      expect((await stat(path)).mode & 0o077, path).to.equal(0);
  });

  it('after the process was killed', async () => {
    portico.process.kill('SIGKILL');
    await new Promise((resolve) => portico.process.once('exit', resolve));
    await check();
  });

  it('passwords and client secrets are argon2id', async () => {
    const text = [...(await dump(portico.data)).values()].map((bytes) => bytes.toString('latin1')).join('');
    for (const account of ['kim@local', 'app@system', 'demo@local'])
      expect(text).to.match(new RegExp(`${account}[^]{0,600}\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$`));
  });
});
