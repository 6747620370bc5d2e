import { expect } from 'chai';
import type { AppError } from '#errors.ts';
import { openFixture, type Fixture } from '../../test/support/open-fixture.ts';
import { checkStoreVersion, upgradeStore, type UpgradeStep } from './store-version.ts';

const refusal = (error: AppError): string => `${error.code}: ${error.publicText}`;

describe('the version of the stores', () => {
  let fixture: Fixture;
  let ran: string[];
  const step = (to: number, then: () => void = () => {}): UpgradeStep => ({
    to,
    name: `to ${to}`,
    run: async () => {
      ran.push(`to ${to}`);
      then();
    },
  });
  beforeEach(async () => {
    fixture = await openFixture();
    ran = [];
  });
  afterEach(() => fixture.close());

  it('is noted at the first start, and then asked for', async () => {
    const { objects } = fixture.stores;
    await Promise.all([checkStoreVersion(objects, 2), checkStoreVersion(objects, 2)]);
    await checkStoreVersion(objects, 2);
    expect(await checkStoreVersion(objects, 1).catch(refusal)).to.match(/^unavailable: .*newer.*version 2.*knows 1/);
    expect(await checkStoreVersion(objects, 3).catch(refusal)).to.match(/^unavailable: .*version 2.*portico upgrade/);
  });

  it('is brought up by the steps that are missing, once, in order', async () => {
    const { objects } = fixture.stores;
    await checkStoreVersion(objects, 1);
    const steps = [step(1), step(2), step(3), step(4)];
    expect(await upgradeStore(objects, { dryRun: true, steps, to: 3 })).to.deep.equal({ from: 1, to: 3, steps: ['to 2', 'to 3'] }); // prettier-ignore
    expect(ran).to.deep.equal([]);
    await upgradeStore(objects, { dryRun: false, steps, to: 3 });
    expect(ran).to.deep.equal(['to 2', 'to 3']);
    await checkStoreVersion(objects, 3);
    expect(await upgradeStore(objects, { dryRun: false, steps, to: 3 })).to.deep.equal({ from: 3, to: 3, steps: [] });
    expect(await upgradeStore(objects, { dryRun: false, steps, to: 2 }).catch(refusal)).to.match(
      /^unavailable: .*newer/,
    );
  });

  it('goes on after the last step that was done when one fails', async () => {
    const { objects } = fixture.stores;
    await checkStoreVersion(objects, 1);
    const fail = () => {
      throw new Error('no disk');
    };
    const failed = await upgradeStore(objects, { dryRun: false, steps: [step(2), step(3, fail)], to: 3 }).catch(String);
    expect(failed).to.equal('Error: no disk');
    expect((await upgradeStore(objects, { dryRun: false, steps: [step(2), step(3)], to: 3 })).steps).to.deep.equal(['to 3']); // prettier-ignore
  });

  it('of stores that hold nothing is the newest, without a step', async () => {
    const { objects } = fixture.stores;
    expect(await upgradeStore(objects, { dryRun: false, steps: [step(2)], to: 2 })).to.deep.equal({ from: 2, to: 2, steps: [] }); // prettier-ignore
    expect(ran).to.deep.equal([]);
    await checkStoreVersion(objects, 2);
  });
});
