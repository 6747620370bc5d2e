import { expect } from 'chai';
import { makePkce, signedIn } from '../support/browser-session.ts';
import { redirectUri, startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('1. A redirect URI that differs by one character is refused without redirecting', () => {
  let auth: RunningAuth;
  let cookie: string;
  before(async () => {
    auth = await startAuth({
      accounts: [
        {
          identity: 'phone@system',
          name: 'Phone',
          password: 'phone-secret',
          properties: { oauth: { redirectUris: ['com.example.app:/back', 'http://127.0.0.1/back'] } },
        },
      ],
    });
    cookie = await signedIn(auth);
  });
  after(() => auth.stop());

  const url = new URL(redirectUri);
  const others = [
    `${redirectUri}/`,
    `${redirectUri}?`,
    `${redirectUri}?a=1`,
    `${redirectUri}#`,
    redirectUri.slice(0, -1),
    `${redirectUri}k`,
    redirectUri.replace('/back', '/Back'),
    redirectUri.replace('/back', '//back'),
    redirectUri.replace('/back', '/./back'),
    redirectUri.replace('/back', '/%62ack'),
    redirectUri.replace(url.port, '8'),
    redirectUri.replace(`:${url.port}`, ''),
    redirectUri.replace('127.0.0.1', '127.0.0.2'),
    redirectUri.replace('127.0.0.1', 'localhost'),
    redirectUri.replace('127.0.0.1', 'user@127.0.0.1'),
    redirectUri.replace('http:', 'https:'),
    redirectUri.replace('http:', 'HTTP:'),
    ` ${redirectUri}`,
    'javascript:alert(1)',
    '//127.0.0.1:9/back',
  ];

  for (const method of ['GET', 'POST']) {
    for (const other of others) {
      it(`${method} with ${JSON.stringify(other)}`, async () => {
        const { query } = makePkce();
        const asked = new URLSearchParams({
          client_id: 'web@system',
          response_type: 'code',
          redirect_uri: other,
          ...query,
        });
        const answer = await auth.fetch(`/oauth2/grant?${asked.toString()}`, { method, headers: { cookie } });
        expect(answer.status).to.equal(400);
        expect(answer.headers.get('location')).to.equal(null);
        expect(await answer.text()).to.not.match(/http-equiv|href="javascript/);
      });
    }
  }

  it('also when the request has other faults', async () => {
    for (const more of ['&response_type=token', '&response_type=code&scope=%22', '']) {
      const query = `client_id=web@system&redirect_uri=${encodeURIComponent(`${redirectUri}2`)}${more}`;
      const answer = await auth.fetch(`/oauth2/grant?${query}`, { headers: { cookie } });
      expect(answer.status).to.equal(400);
      expect(answer.headers.get('location')).to.equal(null);
    }
  });

  it('also for an application with a scheme of its own, and its loopback address', async () => {
    const { query } = makePkce();
    const ask = (uri: string) => {
      const asked = { client_id: 'phone@system', response_type: 'code', redirect_uri: uri, ...query };
      const path = `/oauth2/grant?${new URLSearchParams(asked).toString()}`;
      return auth.fetch(path, { method: 'POST', headers: { cookie } });
    };
    expect((await ask('com.example.app:/back')).headers.get('location')).to.match(/^com\.example\.app:\/back\?code=/);
    for (const other of ['com.example.app:/back2', 'com.example.app://back', 'http://127.0.0.1:5000/back']) {
      const answer = await ask(other);
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([400, null]);
    }
  });

  it('a second redirect_uri is an error, told at the registered one', async () => {
    const twice = [redirectUri, `${redirectUri}2`].map((uri) => `redirect_uri=${encodeURIComponent(uri)}`).join('&');
    const answer = await auth.fetch(`/oauth2/grant?client_id=web@system&response_type=code&${twice}`, {
      method: 'POST',
      headers: { cookie },
    });
    const location = new URL(answer.headers.get('location')!);
    expect(`${location.origin}${location.pathname}`).to.equal(redirectUri);
    expect(location.searchParams.get('error')).to.equal('invalid_request');
    expect(location.searchParams.has('code')).to.equal(false);
  });
});
