import { expect } from 'chai';
import { allow, makePkce, signedIn, token, web } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('4. Implicit and password grants are not to be had; discovery does not offer them', () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await startAuth();
  });
  after(() => auth.stop());

  it('response types other than code', async () => {
    const cookie = await signedIn(auth);
    for (const type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none']) {
      const query = { client_id: web[0], response_type: type, scope: 'openid', nonce: 'n', ...makePkce().query };
      const location = await allow(auth, cookie, query);
      const answered = new URLSearchParams(location.hash.slice(1) || location.search);
      expect(answered.get('error'), type).to.equal('unsupported_response_type');
      expect(location.href).to.not.match(/access_token|id_token=|[?&#]code=/);
    }
  });

  it('grant type password, and inventions', async () => {
    const person = { username: 'demo@local', password: 'portico-demo' };
    for (const type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code', '__proto__']) {
      const { status, body } = await token(auth, web, { grant_type: type, ...person });
      expect([status, body.error]).to.deep.equal([400, 'unsupported_grant_type']);
    }
  });

  for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    it(`${path} offers code alone`, async () => {
      const answer = (await (await auth.fetch(path)).json()) as Record<string, unknown>;
      expect(answer['issuer']).to.equal(auth.url);
      expect(answer['response_types_supported']).to.deep.equal(['code']);
      expect(answer['grant_types_supported']).to.have.members([
        'authorization_code',
        'refresh_token',
        'client_credentials',
      ]);
      expect(answer['code_challenge_methods_supported']).to.deep.equal(['S256']);
      expect(JSON.stringify(answer)).to.not.match(/"(implicit|password|none|HS\d+)"/);
    });
  }
});
