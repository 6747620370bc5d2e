import { expect } from 'chai';
import { openFixture, type Fixture } from '../../../test/support/open-fixture.ts';
import { loadSigningKeys } from './signing-keys.ts';

describe('loadSigningKeys', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());

  it('gives all processes the same keys, kept encrypted', async () => {
    const { state } = fixture.stores;
    const key = Buffer.alloc(32, 1);
    const [one, other] = await Promise.all([loadSigningKeys(state, key), loadSigningKeys(state, key)]);
    expect(one).to.deep.equal(other);
    expect(one.map(({ alg }) => alg)).to.deep.equal(['RS256', 'ES256']);
    expect(await state.get('oauth:signing-keys')).to.match(/^[\w-]+$/);
  });

  it('makes new keys when the secret of the installation is another', async () => {
    const { state } = fixture.stores;
    const before = await loadSigningKeys(state, Buffer.alloc(32, 1));
    const after = await loadSigningKeys(state, Buffer.alloc(32, 2));
    expect(after.map(({ kid }) => kid)).to.not.include(before[0]!.kid);
    expect(await loadSigningKeys(state, Buffer.alloc(32, 2))).to.deep.equal(after);
  });
});
