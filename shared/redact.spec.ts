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

  it('copes with cycles and depth', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(JSON.stringify(redact(cycle))).to.include('[deep]');
  });
});
