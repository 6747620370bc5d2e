import { expect } from 'chai';
import { createAccounts } from './accounts.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { createThrottle, networkOf, type Throttle } from './throttle.ts';

const here = '192.0.2.1';
const repeat = async <T>(times: number, run: (index: number) => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await run(index));
  return answers;
};

describe('throttle', () => {
  let fixture: Fixture;
  let throttle: Throttle;
  beforeEach(async () => {
    fixture = await openFixture({ 'auth.addressFailures': 30 });
    throttle = createThrottle(fixture.deps);
  });
  afterEach(() => fixture.close());

  it('lets ten attempts in a row through, then makes waits that double up to the longest', async () => {
    expect(await repeat(11, () => throttle.attempt('a@local', here))).to.deep.equal([...Array(10).fill(0), 5]);
    const waits = [5];
    for (const wait of [5, 10, 20, 40, 80, 160, 320, 640, 900]) {
      fixture.advance(wait + 0.01);
      expect(await throttle.attempt('a@local', here), 'one attempt after the wait').to.equal(0);
      waits.push(await throttle.attempt('a@local', here));
    }
    expect(waits).to.deep.equal([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it('holds for all processes and all spellings, and for that account alone', async () => {
    const other = createThrottle(fixture.deps);
    await repeat(10, (index) => (index % 2 ? throttle : other).attempt('a@local', here));
    expect(await other.attempt('A@LOCAL', here)).to.equal(5);
    expect(await other.attempt('b@local', here)).to.equal(0);
  });

  it('lets no more through when the attempts come at once', async () => {
    const waits = await Promise.all(Array.from({ length: 50 }, () => throttle.attempt('a@local', here)));
    expect(waits.filter((wait) => wait === 0)).to.have.lengthOf(10);
    fixture.advance(5000);
    const later = await Promise.all(Array.from({ length: 50 }, () => throttle.attempt('a@local', here)));
    expect(later.filter((wait) => wait === 0)).to.have.lengthOf(1);
  });

  it('forgets the account after a success', async () => {
    await repeat(9, () => throttle.attempt('a@local', here));
    await throttle.succeed('a@local');
    expect(await repeat(10, () => throttle.attempt('a@local', here))).to.deep.equal(Array(10).fill(0));
  });

  it('stops an address that failed too often, for any account, until its window ends', async () => {
    expect(await repeat(30, () => throttle.fail(here))).to.deep.equal(Array(30).fill(0));
    expect(await throttle.attempt('a@local', here)).to.be.within(295, 300);
    expect(await throttle.fail(here)).to.be.within(295, 300);
    expect(await throttle.attempt('a@local', '192.0.2.2')).to.equal(0);
    fixture.advance(301);
    expect(await throttle.attempt('a@local', here)).to.equal(0);
  });

  it('counts an IPv6 subscriber as one, and an IPv4 address in either spelling', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).to.equal(networkOf('2001:0DB8:1:2::1'));
    expect(networkOf('2001:db8:1:3::1')).to.not.equal(networkOf('2001:db8:1:2::1'));
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
  });

  describe('before passwords', () => {
    const password = 'portico-demo';

    it('answers 429 with the wait to a right password too, once the account is throttled', async () => {
      const accounts = await createAccounts(fixture.deps);
      await accounts.create({ identity: 'demo@local', password });
      const tries = await repeat(11, (index) => accounts.verify('demo@local', `guess ${index}`, here));
      expect(tries.map((one) => ('refused' in one ? one.refused : 'in'))).to.deep.equal([
        ...Array(10).fill('wrong'),
        'throttled',
      ]);
      expect(await accounts.verify('demo@local', password, '192.0.2.2')).to.deep.equal({
        refused: 'throttled',
        wait: 5,
      });
      fixture.advance(6);
      expect(await accounts.verify('demo@local', password, here)).to.have.property('account');
      expect(await accounts.verify('demo@local', 'guess', here)).to.deep.equal({ refused: 'wrong' });
    });

    it('does not let guesses be tried against what is remembered', async () => {
      const accounts = await createAccounts(fixture.deps);
      await accounts.create({ identity: 'demo@local', password });
      await accounts.verify('demo@local', password, '192.0.2.9');
      await repeat(10, (index) => accounts.verify('demo@local', `guess ${index}`, here));
      expect(await accounts.verify('demo@local', password, here)).to.have.property('refused', 'throttled');
      expect(await accounts.verify('demo@local', password, '192.0.2.9'), 'the owner works on').to.have.property(
        'account',
      );
      await accounts.verify('demo@local', 'one guess from there', '192.0.2.9');
      expect(await accounts.verify('demo@local', password, '192.0.2.9')).to.have.property('refused', 'throttled');
    });

    it('does not count what is missing or malformed', async () => {
      const accounts = await createAccounts(fixture.deps);
      await accounts.create({ identity: 'demo@local', password });
      await repeat(40, () => accounts.verify('demo@local', '', here));
      await repeat(40, () => accounts.verify('demo', 'x', here));
      expect(await accounts.verify('demo@local', password, here)).to.have.property('account');
    });
  });
});
