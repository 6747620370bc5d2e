import { expect } from 'chai';
import { AppError } from '#errors.ts';
import { describeAddress, readRedisAddress } from './address.ts';

const server = { kind: 'server', master: '', tls: false, username: '', password: '', database: 0 };

describe('the address of Redis', () => {
  it('is one server', () => {
    expect(readRedisAddress('redis://r')).to.deep.equal({ ...server, nodes: [{ host: 'r', port: 6379 }] });
    expect(readRedisAddress('rediss://joe:p%2C%40@[::1]:7000/3')).to.deep.equal({
      ...server,
      nodes: [{ host: '::1', port: 7000 }],
      tls: true,
      username: 'joe',
      password: 'p,@',
      database: 3,
    });
  });

  it('is a cluster by several addresses, whole or short, or by the name of the scheme', () => {
    const nodes = [
      { host: 'a', port: 1 },
      { host: 'b', port: 6379 },
    ];
    for (const url of ['redis://:pw@a:1,b', 'redis://:pw@a:1, redis://b:6379/']) {
      expect(readRedisAddress(url), url).to.deep.equal({ ...server, kind: 'cluster', nodes, password: 'pw' });
    }
    expect(readRedisAddress('rediss-cluster://c').kind).to.equal('cluster');
  });

  it('is the master that sentinels know by a name', () => {
    const read = readRedisAddress('redis-sentinel://:pw@s1,s2:5/main/2');
    expect(read).to.deep.equal({
      ...server,
      kind: 'sentinel',
      nodes: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 5 },
      ],
      master: 'main',
      password: 'pw',
      database: 2,
    });
    expect(describeAddress(read)).to.equal('sentinel s1:26379, s2:5');
  });

  for (const [url, why] of [
    ['http://:hidden@a', 'has no scheme of Redis'],
    ['redis://:hidden,x@a', 'is no URL'],
    ['redis://:hidden@a,rediss://b', 'mixes schemes'],
    ['redis://:hidden@a/x', 'ends in no number'],
    ['redis://:hidden@a/1,b', 'names a database'],
    ['redis-sentinel://:hidden@a', 'names no master'],
    ['redis://:hidden%@a', 'holds a %'],
    ['redis://:hidden@a?x=1', 'must end after the path'],
    ['', 'is no URL'],
  ] as const) {
    it(`is refused when it ${why}: ${url.replace('hidden', '…')}`, () => {
      const read = () => readRedisAddress(url);
      expect(read).to.throw(AppError, why).with.property('code', 'invalid');
      expect(read).to.not.throw(AppError, 'hidden');
    });
  }
});
