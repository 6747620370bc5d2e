import { expect } from 'chai';
import { outerLocation } from './location.ts';

const cases = [
  ['/rest/crud/a/1?x#y', 'http://in:81', '/gw/rest/crud/a/1?x#y'],
  ['http://in:81/rest/a', 'http://in:81', '/gw/rest/a'],
  ['/inner/rest/a', 'http://in:81/inner', '/gw/rest/a'],
  ['/innermost/a', 'http://in:81/inner', '/innermost/a'],
  ['a/1', 'http://in:81', 'a/1'],
  ['http://elsewhere/rest/a', 'http://in:81', 'http://elsewhere/rest/a'],
  ['//elsewhere/rest/a', 'http://in:81', '//elsewhere/rest/a'],
  ['http://[', 'http://in:81', 'http://['],
] as const;

describe('a Location of the service behind', () => {
  for (const [location, target, expected] of cases)
    it(`${location} from ${target} becomes ${expected}`, () =>
      expect(outerLocation(location, new URL(target), '/gw')).to.equal(expected));
});
