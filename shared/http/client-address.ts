import { BlockList, isIP } from 'node:net';
import type { HttpMiddleware } from './state.ts';

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

/** How many proxies, or their networks: whether the one that is `hops` steps away is trusted. */
function trusts(trust: number | readonly string[]): (address: string, hops: number) => boolean {
  if (typeof trust === 'number') return (_address, hops) => hops < trust;
  const list = new BlockList();
  for (const network of trust) {
    const [address, bits] = network.split('/');
    const family = isIP(address!) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address!, family);
    else list.addSubnet(address!, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Sets `ctx.ip`: the address of the peer, or what trusted proxies say of theirs (`X-Forwarded-For`, read from the right). */
export function clientAddress(trust: number | readonly string[]): HttpMiddleware {
  const trusted = trusts(trust);
  return (ctx, next) => {
    let address = plain(ctx.req.socket.remoteAddress ?? '');
    const forwarded = ctx.get('x-forwarded-for');
    if (forwarded !== '') {
      const chain = forwarded.split(',').map((one) => plain(one.trim()));
      for (let hops = 0; chain.length > 0 && trusted(address, hops); hops += 1) {
        const before = chain.pop()!;
        if (isIP(before) === 0) break;
        address = before;
      }
    }
    ctx.request.ip = address;
    return next();
  };
}
