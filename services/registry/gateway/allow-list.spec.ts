import { expect } from 'chai';
import { compileAllowList, pathFault } from './allow-list.ts';

const decide = compileAllowList({
  '/rest/echo-token': { POST: true, get: false },
  '/rest/crud/{class}': { Get: true, delete: true },
  '/rest/crud/secret@demo': { GET: false },
  '/rest/crud/{class}/:id': { get: true, head: false },
  '/rest/list/': { get: true },
  '/rest/shut': { get: false },
});
const status = (method: string, path: string) => {
  const decision = decide(method, path);
  return decision.allowed ? 200 : decision.status;
};

describe('the allow list', () => {
  it('lets listed pairs of method and path through, methods in any case', () => {
    expect(status('POST', '/rest/echo-token')).to.equal(200);
    expect(status('GET', '/rest/crud/author@demo')).to.equal(200);
    expect(status('DELETE', '/rest/crud/author@demo')).to.equal(200);
    expect(status('GET', '/rest/crud/author@demo/7')).to.equal(200);
    expect(status('GET', '/rest/crud/author%40demo/a%20b%C3%A9')).to.equal(200);
  });

  it('answers 405 with what is allowed for another method of a listed path, and 404 where nothing is allowed', () => {
    expect(decide('GET', '/rest/echo-token')).to.deep.equal({ allowed: false, status: 405, allow: 'POST' });
    expect(decide('PUT', '/rest/crud/x')).to.deep.equal({ allowed: false, status: 405, allow: 'GET, HEAD, DELETE' });
    expect(status('get', '/rest/crud/x')).to.equal(405);
    expect(status('GET', '/rest/shut')).to.equal(404);
  });

  it('lets HEAD follow GET unless HEAD itself is named', () => {
    expect(status('HEAD', '/rest/crud/x')).to.equal(200);
    expect(status('HEAD', '/rest/crud/x/1')).to.equal(405);
  });

  it('lets the most specific path that names the method decide', () => {
    expect(status('GET', '/rest/crud/secret@demo')).to.equal(405);
    expect(status('DELETE', '/rest/crud/secret@demo')).to.equal(200);
  });

  it('takes a slash at the end for another path', () => {
    expect(status('GET', '/rest/list/')).to.equal(200);
    expect(status('GET', '/rest/list')).to.equal(404);
    expect(status('POST', '/rest/echo-token/')).to.equal(404);
    expect(status('GET', '/rest/crud/author@demo/')).to.equal(404);
  });

  const refused = [
    '', '/', '/rest/other', '/rest/crud', '/rest/crud/a/b/c', '/REST/echo-token', 'rest/echo-token', '*',
    '/rest/echo%2Dtoken', '/rest/%65cho-token', '/rest/crud/%61', '/rest/crud/a%2E', '/rest/crud/a%7e',
    '/rest/../rest/echo-token', '/rest/./echo-token', '/rest/crud/..', '/rest/crud/.', '/rest/crud/...', '/rest/crud/%2e%2e', '/rest/crud/.%2e',
    '//rest/echo-token', '/rest//echo-token', '/rest/crud//', '/rest/crud//1', '/rest/echo-token//',
    '/rest/echo-token;x=1', '/rest/crud/..;/1', '/rest/crud/a%3B', '/rest/crud/a%2fb', '/rest/crud/a%2Fb', '/rest/crud/a%5cb', '/rest/crud/a\\b',
    '/rest/crud/a%252e', '/rest/crud/a%00', '/rest/crud/a%0a', '/rest/crud/a%7f', '/rest/crud/a%c2%85', '/rest/crud/%ff', '/rest/crud/%c0%af', '/rest/crud/%',
    '/rest/crud/%2', '/rest/crud/%zz', '/rest/crud/é', '/rest/crud/a"', '/rest/crud/a<', '/rest/crud/a|', '/rest/crud/a#b', '/rest/crud/a b', '/rest/crud/{class}', 'http://evil.example/rest/echo-token',
  ]; // prettier-ignore
  for (const path of refused)
    it(`does not know ${JSON.stringify(path)}`, () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) expect(status(method, path)).to.equal(404);
    });
});

describe('a path of the definition', () => {
  const faults = { 'rest/x': /start with/, '/rest/*': /wildcards/, '/rest/{a}b': /whole segment/, '/rest/:a.b': /whole segment/, '/rest//x': /never/, '/rest/../x': /never/, '/rest/x;y': /never/, '/rest/x?y': /never/, '/': /never/ }; // prettier-ignore
  for (const [path, fault] of Object.entries(faults))
    it(`${path} is refused`, () => expect(pathFault(path)).to.match(fault));

  it('may hold parameters, an @ and a slash at the end', () => {
    for (const path of ['/rest/{class}/:id', '/rest/crud/author@demo', '/rest/list/'])
      expect(pathFault(path)).to.equal(undefined);
  });
});
