import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.js';

// Transcribed from the registries independently of the code, with different arithmetic.
const REGISTRY_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 168.63.129.16/32`;
const REGISTRY_IPV6 = `::/128 ::1/128 ::ffff:0:0/96 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64
  2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
  2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
  fec0::/10 ff00::/8`;

interface Block {
  readonly first: bigint;
  readonly last: bigint;
}

function valueOfIpv4(address: string): bigint {
  return address.split('.').reduce((value, octet) => value * 256n + BigInt(octet), 0n);
}

function valueOfIpv6(address: string): bigint {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = address.includes('::') ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return all.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
}

function blocks(registry: string, bits: bigint, toValue: (address: string) => bigint): Block[] {
  return registry.split(/\s+/).map((entry) => {
    const [network = '', prefix = ''] = entry.split('/');
    const size = 2n ** (bits - BigInt(prefix));
    return { first: toValue(network), last: toValue(network) + size - 1n };
  });
}

const ipv4Blocks = blocks(REGISTRY_IPV4, 32n, valueOfIpv4);
const ipv6Blocks = blocks(REGISTRY_IPV6, 128n, valueOfIpv6);
const isIn = (list: readonly Block[], value: bigint) =>
  list.some(({ first, last }) => first <= value && value <= last);
const edgesOf = (list: readonly Block[], max: bigint) =>
  list
    .flatMap(({ first, last }) => [first - 1n, first, last, last + 1n])
    .filter((value) => value >= 0n && value <= max);

const ipv4Text = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const ipv6Groups = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
const ipv6Text = (value: bigint) => ipv6Groups(value).join(':');
const ipv6Short = (value: bigint) => {
  const text = ipv6Text(value);
  return text.replace(/(^|:)0(:0)+(:|$)/, '::');
};

const isPublicIpv4 = (value: bigint) => !isIn(ipv4Blocks, value);
const isPublicIpv6 = (value: bigint) => value >> 125n === 1n && !isIn(ipv6Blocks, value);

describe('isPublicAddress', () => {
  it('agrees with the IPv4 registry at both edges of every block', () => {
    for (const value of edgesOf(ipv4Blocks, 2n ** 32n - 1n)) {
      expect([ipv4Text(value), isPublicAddress(ipv4Text(value))]).toEqual([
        ipv4Text(value),
        isPublicIpv4(value),
      ]);
    }
  });

  it('agrees with the IPv6 registry at both edges of every block', () => {
    for (const value of edgesOf(ipv6Blocks, 2n ** 128n - 1n)) {
      expect([ipv6Text(value), isPublicAddress(ipv6Text(value))]).toEqual([
        ipv6Text(value),
        isPublicIpv6(value),
      ]);
    }
  });

  it('agrees with the IPv4 registry for any address', () => {
    const anywhere = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
    fc.assert(
      fc.property(anywhere, (value) => isPublicAddress(ipv4Text(value)) === isPublicIpv4(value)),
      { numRuns: 5000 },
    );
  });

  it('agrees with the IPv6 registry for any address, in its long, short and upper-case forms', () => {
    const anywhere = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    const inside = fc
      .tuple(fc.constantFrom(...ipv6Blocks), fc.bigInt({ min: 0n, max: 2n ** 20n }))
      .map(([{ first, last }, offset]) => first + (offset % (last - first + 1n)));
    const global = fc.bigInt({ min: 1n << 125n, max: (2n << 125n) - 1n });
    fc.assert(
      fc.property(fc.oneof(anywhere, inside, global), (value) => {
        const responses = [ipv6Text(value), ipv6Short(value), ipv6Text(value).toUpperCase()].map(
          isPublicAddress,
        );
        return responses.every((response) => response === isPublicIpv6(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('refuses every IPv6 form that carries an IPv4 address, even a public one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (value) => {
        const dotted = ipv4Text(value);
        const hex = ipv6Groups(value).slice(6).join(':');
        const forms = [
          `::ffff:${dotted}`,
          `::${dotted}`,
          `64:ff9b::${dotted}`,
          `64:ff9b:1::${dotted}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::`,
        ];
        return forms.every((form) => !isPublicAddress(form));
      }),
    );
  });

  it('accepts addresses of ordinary servers', () => {
    for (const address of ['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07::1', '2a00:1450:4001:81c::200e']) {
      expect(isPublicAddress(address)).toBe(true);
    }
  });

  it('refuses text that is not an address', () => {
    const texts = ['', 'example.com', '8.8.8', '8.8.8.8.', ' 8.8.8.8', '134744072', '0x8.8.8.8', '08.8.8.8'];
    for (const text of [...texts, '8.8.8.8/32', '[2606:2800::1]', '2606:2800::1%eth0', '8.8.8.8%1', '::g']) {
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
    }
  });
});
