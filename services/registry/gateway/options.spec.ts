import { expect } from 'chai';
import { readGatewayOptions } from './options.ts';

const good = {
  log: {},
  base: '/registry-ajax-api/',
  clientId: 'ext@system',
  clientSecret: 'secret',
  endPoint: 'http://127.0.0.1:8888/inner/',
  definition: { paths: { '/rest/echo-token': { POST: true } } },
};
const read = (changes: object, file = '') =>
  readGatewayOptions({ ...good, ...changes }, 'apiGateWay.options', () => file);

describe('the options of a gateway', () => {
  it('are read with their defaults, without slashes at the end, and frozen', () => {
    const options = read({});
    expect(options).to.deep.equal({
      base: '/registry-ajax-api',
      clientId: 'ext@system',
      clientSecret: 'secret',
      tokenPath: '/rest/token',
      endPoint: 'http://127.0.0.1:8888/inner',
      definition: good.definition,
    });
    expect(Object.isFrozen(options)).to.equal(true);
  });

  it('need no endPoint', () => {
    expect(read({ endPoint: undefined }).endPoint).to.equal(undefined);
    expect(read({ endPoint: '' }).endPoint).to.equal(undefined);
  });

  it('may name a YAML or JSON file with the definition', () => {
    const yaml = 'paths:\n  /rest/echo-token: {post: true}\n';
    expect(read({ definition: 'gw.yml' }, yaml).definition.paths).to.deep.equal({ '/rest/echo-token': { post: true } });
    const json = JSON.stringify(good.definition);
    expect(read({ definition: 'gw.json' }, json).definition).to.deep.equal(good.definition);
  });

  it('say which file cannot be read, and why', () => {
    const missing = () => {
      throw new Error('no such file');
    };
    const readMissing = () => readGatewayOptions({ ...good, definition: 'gw.yml' }, 'apiGateWay.options', missing);
    expect(readMissing).to.throw('apiGateWay.options.definition: gw.yml cannot be read: no such file');
    expect(() => read({ definition: 'gw.yml' }, 'a: [')).to.throw('gw.yml cannot be read');
  });

  it('name every fault at once with its place, and never a secret', () => {
    const paths = { 'rest/x': { GET: true }, '/rest/y': { FETCH: true, get: 1 }, '/a/{x}': {}, '/a/:y': {}, '/b': { get: true, GET: false } }; // prettier-ignore
    const faulty = { base: '/', clientId: 'a:b', clientSecret: 5, endPoint: 'ftp://u:hidden@h', definition: { paths } };
    let message = '';
    try {
      read(faulty);
    } catch (thrown) {
      message = (thrown as Error).message;
    }
    for (const place of [
      'base',
      'clientId',
      'clientSecret',
      'endPoint',
      'definition.paths.rest/x',
      'definition.paths./rest/y.get',
    ])
      // prettier-ignore
      expect(message).to.match(new RegExp(`^apiGateWay\\.options\\.${place.replaceAll('.', '\\.')}: `, 'm'));
    expect(message).to.not.include('hidden');
    expect(() => read({ definition: { paths: { '/rest/y': { FETCH: true } } } })).to.throw(/rest\/y\.FETCH: is not one of get, /); // prettier-ignore
    expect(() => read({ definition: { paths: { '/b': { get: true, GET: false } } } })).to.throw(
      /\/b\.GET: is listed twice/,
    );
    expect(() => read({ definition: { paths: { '/a/{x}': {}, '/a/:y': {} } } })).to.throw(
      /same addresses as \/a\/\{x\}/,
    );
  });

  for (const endPoint of ['http://u:p@h', 'http://h?x', 'h:8888', '//h', '/rest', 'http://h/#x'])
    it(`refuse the endPoint ${endPoint}`, () => expect(() => read({ endPoint })).to.throw(/endPoint: /));

  for (const base of ['', '/', 'x', '//x', '/x//y', '/x/../y', '/x?y', '/x%2f', '/*'])
    it(`refuse the base ${JSON.stringify(base)}`, () => expect(() => read({ base })).to.throw(/base: /));
});
