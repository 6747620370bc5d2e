import { expect } from 'chai';
import { clientAddress } from './client-address.ts';
import type { HttpContext } from './state.ts';

const addressOf = async (trust: number | readonly string[], peer: string, forwarded: string) => {
  const request = { ip: '' };
  const ctx = { request, req: { socket: { remoteAddress: peer } }, get: () => forwarded } as unknown as HttpContext;
  await clientAddress(trust)(ctx, async () => {});
  return request.ip;
};

describe('the address of the client', () => {
  const cases: [string, number | readonly string[], string, string, string][] = [
    ['believes nobody by default', 0, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
    ['believes one proxy', 1, '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['believes two proxies', 2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['believes listed networks', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
    ['does not believe a peer outside them', ['10.0.0.0/8'], '11.0.0.1', '1.2.3.4', '11.0.0.1'],
    ['stops at what is no address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['unwraps IPv4 in IPv6', 0, '::ffff:127.0.0.1', '', '127.0.0.1'],
    ['knows IPv6 networks', ['::1'], '::1', '2001:db8::1', '2001:db8::1'],
  ];
  for (const [name, trust, peer, forwarded, expected] of cases) {
    it(name, async () => {
      expect(await addressOf(trust, peer, forwarded)).to.equal(expected);
    });
  }
});
