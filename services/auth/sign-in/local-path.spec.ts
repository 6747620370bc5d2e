import { expect } from 'chai';
import { localPath } from './local-path.ts';

describe('localPath', () => {
  for (const path of ['/', '/registry/', '/oauth2/grant?client_id=ext@system&state=%2F%2Fx', '/a//b', '/a:b']) {
    it(`takes ${path}`, () => expect(localPath(path)).to.equal(path));
  }

  const foreign = ['', 'registry', '//evil.example', '/\\evil.example', '\\\\evil.example', '/a\\b', 'https://evil.example/', 'javascript:alert(1)', '/\t/evil.example', '/\n/evil.example', ' /a', '/a b', '/ä', '/\u0000', null, undefined]; // prettier-ignore
  for (const value of foreign) {
    it(`refuses ${JSON.stringify(value)}`, () => expect(localPath(value)).to.equal(undefined));
  }
});
