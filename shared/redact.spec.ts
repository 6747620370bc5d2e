import { expect } from 'chai';
import { redact } from './redact.ts';

describe('redacting what is logged', () => {
  it('removes credentials by name, in text and in errors, and keeps the rest', () => {
    const shown = JSON.stringify(
      redact({
        path: '/rest/echo',
        'auth-token': 'tokentokentoken',
        headers: { Authorization: 'Basic ZGVtbzpwdw==', cookie: 'portico=abcdef', accept: '*/*' },
        text: 'Authorization: Bearer abcdefghijk, url /x?code=12345&state=1',
        cause: new Error('connect with password=hunter2hunter failed'),
      }),
    );
    for (const secret of ['tokentoken', 'ZGVtbzpwdw', 'abcdef', '12345', 'hunter2'])
      expect(shown).to.not.include(secret);
    for (const kept of ['/rest/echo', '*/*', 'state=1', 'failed']) expect(shown).to.include(kept);
  });

  it('removes our own tokens wherever they stand, and no ids, digests or words', () => {
    const [service, access] = [
      '0f9d1a77c3e2b4a6d8e0f1a2b3c4d5e6f7a8b9c0',
      'eFAuFeC4pn57mU7mH8hN8bJ7n9v8zHy0fBBk1bQav1O',
    ];
    for (const place of ['/rest/{}', '/rest/echo/{}/x', 'no service {}', '{"a":"{}"}'])
      for (const token of [service, access])
        expect(redact(place.replace('{}', token)), place).to.equal(place.replace('{}', '[removed]'));
    for (const kept of ['018f3c22-91b7-7d05-8000-000000000001', 'a'.repeat(40), 'b'.repeat(43), 'c0'.repeat(32)])
      expect(redact(`id ${kept}`)).to.equal(`id ${kept}`);
  });

  it('copes with cycles and depth', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(JSON.stringify(redact(cycle))).to.include('[deep]');
  });
});
