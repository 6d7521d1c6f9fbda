import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkOf } from './network-of.js';

it('puts neighbouring addresses into one network and others into different ones', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.0/24');
  expect(networkOf('192.0.2.255')).toBe('192.0.2.0/24');
  expect(networkOf('192.0.3.1')).toBe('192.0.3.0/24');
  expect(networkOf('2001:db8:1:2ff::1')).toBe('2001:db8:1:200::/56');
  expect(networkOf('2001:db8:1:200:ffff::')).toBe('2001:db8:1:200::/56');
  expect(networkOf('2001:db8:1:300::1')).toBe('2001:db8:1:300::/56');
  expect(networkOf('::1')).toBe('0:0:0:0::/56');
});

it('recognizes an address in every notation', () => {
  for (const address of ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'])
    expect(networkOf(address), address).toBe('192.0.2.0/24');
  for (const address of ['2001:DB8::', '2001:0db8:0:0::1', '2001:db8:0:0:0:0:0:1', '2001:db8::1%eth0'])
    expect(networkOf(address), address).toBe('2001:db8:0:0::/56');
});

it('puts everything that is not an address into one network', () => {
  for (const address of ['', 'unknown', '192.0.2', '192.0.2.1, 10.0.0.1', '[::1]', '::1]/@x', 'x%y'])
    expect(networkOf(address), address).toBe('unknown');
});

it('puts every IPv6 address into the network of its first 56 bits', () => {
  fc.assert(
    fc.property(fc.ipV6().filter(isIPv6), (address) => {
      const network = networkOf(address);
      const prefix = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]{0,2}0{1,2})::\/56$/.test(network);
      expect(prefix || /\.0\/24$/.test(network)).toBe(true);
      if (prefix) expect(networkOf(network.replace('/56', 'ff'))).toBe(network);
    }),
  );
});
