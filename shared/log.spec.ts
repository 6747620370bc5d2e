import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** What a log writes to standard error. */
const written = (form: 'json' | 'text', fields: object): string => {
  const script = `
    import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    createLog({ level: 'debug', form: '${form}' }).info('said', ${JSON.stringify(fields)});`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stderr;
};

describe('the log', () => {
  const hostile = { account: 'a\n12:00:00 info signed in account=root\u001b[2J\u009b1m\u2028', password: 'hunter2' };

  for (const form of ['json', 'text'] as const)
    it(`is one line for one call as ${form}, whatever a client sent, and speaks no words to the terminal`, () => {
      const text = written(form, hostile);
      expect(text.match(/\n/g)).to.have.length(1);
      expect(text.trimEnd()).to.not.match(form === 'text' ? /\p{Cc}|\u2028/u : /[\n\r]/);
      expect(text).to.include('said').and.include('signed in').and.not.include('hunter2');
    });
});
