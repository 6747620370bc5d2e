import { expect } from 'chai';
import { answerHeaders, requestHeaders } from './headers.ts';

const added = { token: 'tok', requestId: 'id-1', identity: 'demo@local' };
const own = { 'auth-token': 'tok', 'x-request-id': 'id-1', 'x-forwarded-user': 'demo@local' };

describe('headers sent to the service behind', () => {
  const dropped = [
    'cookie', 'cookie2', 'authorization', 'auth-user', 'auth-pwd', 'auth-user-type', 'auth_user', 'forwarded',
    'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-anything', 'x_forwarded_for', 'x-real-ip', 'x-http-method-override',
    'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url', 'connection', 'keep-alive', 'te', 'trailer',
    'transfer-encoding', 'upgrade', 'proxy-authorization', 'proxy-connection', 'expect', 'host', 'content-length', 'proxy',
  ]; // prettier-ignore
  for (const name of dropped)
    it(`hold no ${name}`, () => expect(requestHeaders({ [name]: 'x' }, added)).to.deep.equal(own));

  it('hold the token, the request id and the identity in place of what the caller says', () => {
    const given = {
      'auth-token': 'mine',
      'x-request-id': 'mine',
      'x-forwarded-user': 'admin@local',
      'x-forwarded_user': 'admin@local',
    };
    expect(requestHeaders(given, added)).to.deep.equal(own);
  });

  it('hold nothing that Connection names, and still ours when it names ours', () => {
    const given = {
      connection: 'close, X-Secret,auth-token , X_Other',
      'x-secret': '1',
      'x-other': '1',
      accept: 'a/b',
    };
    expect(requestHeaders(given, added)).to.deep.equal({ ...own, accept: 'a/b' });
  });

  it('hold the rest as it came', () => {
    const given = {
      accept: 'a/b',
      'content-type': 'application/json',
      'if-match': '"1"',
      'svc-converter': 'x',
      'accept-language': 'de',
    };
    expect(requestHeaders(given, added)).to.deep.equal({ ...given, ...own });
  });

  it('hold any identity as ASCII', () => {
    const identity = 'Иван %\r\nx: y@local';
    const sent = String(requestHeaders({}, { ...added, identity })['x-forwarded-user']);
    expect(sent).to.match(/^[\x21-\x7e]+$/);
    expect(decodeURIComponent(sent)).to.equal(identity);
  });
});

describe('headers sent to the client', () => {
  it('hold no cookies, hop-by-hop headers, nor what Connection names', () => {
    const dropped = [
      'set-cookie2',
      'x-inner',
      'keep-alive',
      'transfer-encoding',
      'proxy-authenticate',
      'www-authenticate',
    ];
    dropped.push('upgrade', 'access-control-allow-origin', 'access-control-allow-credentials', 'clear-site-data');
    const given = {
      'set-cookie': ['a=b'],
      connection: 'x-inner, close',
      ...Object.fromEntries(dropped.map((name) => [name, '1'])),
      etag: '"1"',
      'content-type': 'text/plain',
      'content-length': '3',
    };
    expect(answerHeaders(given, () => false)).to.deep.equal({ etag: '"1"', 'content-type': 'text/plain', 'content-length': '3' }); // prettier-ignore
  });

  it('leave the security headers of the app as they are', () => {
    const given = {
      'content-security-policy': 'default-src *',
      'cache-control': 'max-age=60',
      'x-request-id': 'other',
    };
    expect(answerHeaders(given, () => true)).to.deep.equal({ 'cache-control': 'max-age=60' });
    expect(answerHeaders(given, () => false)).to.deep.equal(given);
  });
});
