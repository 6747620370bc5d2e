import { expect } from 'chai';
import { isCrossSite } from './cross-site.ts';

const publicUrl = 'https://demo.example';
const cases: readonly (readonly [string, string, string, boolean, string?])[] = [
  // method, Origin, Sec-Fetch-Site, foreign, base_url
  ['POST', '', '', false],
  ['POST', 'https://demo.example', 'same-origin', false],
  ['POST', 'https://demo.example', '', false],
  ['POST', 'https://evil.example', '', true],
  ['POST', 'https://evil.example', 'cross-site', true],
  ['POST', '', 'cross-site', true],
  ['POST', 'https://demo.example', 'cross-site', true],
  ['DELETE', 'https://sub.demo.example', 'same-site', true],
  ['POST', 'http://demo.example', '', true],
  ['POST', 'https://demo.example:8443', '', true],
  ['POST', 'https://demo.example.evil.example', '', true],
  ['POST', 'not an origin', '', true],
  ['POST', '', 'none', false],
  ['POST', 'null', 'same-origin', false],
  ['POST', 'null', 'cross-site', true],
  ['POST', 'null', '', true],
  ['GET', 'https://evil.example', 'cross-site', false],
  ['head', 'https://evil.example', 'cross-site', false],
  ['OPTIONS', 'https://evil.example', 'cross-site', false],
  ['POST', 'http://localhost:8888', '', false, 'http://127.0.0.1:8888'],
  ['POST', 'http://[::1]:8888', '', false, 'http://localhost:8888'],
  ['POST', 'http://localhost:9999', '', true, 'http://127.0.0.1:8888'],
];

describe('cross-site writes', () => {
  for (const [method, origin, secFetchSite, foreign, base = publicUrl] of cases) {
    it(`${method} from "${origin}" marked "${secFetchSite}" at ${base} is ${foreign ? 'refused' : 'let through'}`, () => {
      expect(isCrossSite({ method, origin, secFetchSite, publicUrl: base })).to.equal(foreign);
    });
  }
});
