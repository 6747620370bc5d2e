import { expect } from 'chai';
import { signedIn } from '../support/browser-session.ts';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';

describe('What the consent page shows is what its button grants', () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await startAuth();
  });
  after(() => auth.stop());

  for (const state of ['a?b', 'a%3Fb', '?', '%26scope%3Dself', "a'b", 'a%22%3E%3Cb']) {
    it(`also with the state ${state}`, async () => {
      const cookie = await signedIn(auth);
      const path = `/oauth2/grant?client_id=ext@system&response_type=code&state=${state}&scope=openid`;
      const page = await (await auth.fetch(path, { headers: { cookie } })).text();
      const [, action = ''] = /method="post" action="([^"]*)"/.exec(page) ?? [];
      const unescaped = action.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
      const asked = (at: string) => [...new URL(at, auth.url).searchParams].join(' ');
      expect(asked(unescaped)).to.equal(asked(path));
      expect(new URL(unescaped, auth.url).searchParams.getAll('scope')).to.deep.equal(['openid']);
    });
  }
});
