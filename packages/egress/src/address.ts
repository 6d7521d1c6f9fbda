import { BlockList, isIP } from 'node:net';

/**
 * IPv4 blocks that are not public: the whole IANA IPv4 Special-Purpose Address Registry (including its few globally
 * reachable service blocks, which no client uses), multicast, and one public address with which a large cloud serves
 * its own machines.
 */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network (RFC 791)
  ['10.0.0.0', 8], // private use (RFC 1918)
  ['100.64.0.0', 10], // shared address space (RFC 6598)
  ['127.0.0.0', 8], // loopback (RFC 1122)
  ['168.63.129.16', 32], // the platform services of Azure, reachable from its machines
  ['169.254.0.0', 16], // link local (RFC 3927), cloud metadata services among it
  ['172.16.0.0', 12], // private use (RFC 1918)
  ['192.0.0.0', 24], // protocol assignments (RFC 6890)
  ['192.0.2.0', 24], // documentation (RFC 5737)
  ['192.31.196.0', 24], // AS112 (RFC 7535)
  ['192.52.193.0', 24], // automatic multicast tunnelling (RFC 7450)
  ['192.88.99.0', 24], // 6to4 relay anycast (RFC 7526)
  ['192.168.0.0', 16], // private use (RFC 1918)
  ['192.175.48.0', 24], // AS112 (RFC 7534)
  ['198.18.0.0', 15], // benchmarking (RFC 2544)
  ['198.51.100.0', 24], // documentation (RFC 5737)
  ['203.0.113.0', 24], // documentation (RFC 5737)
  ['224.0.0.0', 4], // multicast (RFC 1112)
  ['240.0.0.0', 4], // reserved, with the limited broadcast address (RFC 1112, RFC 919)
];

/** The block from which global unicast addresses are allocated (RFC 4291 section 2.4, IANA). */
const GLOBAL_IPV6: readonly [network: string, prefix: number] = ['2000::', 3];

/** Blocks of the IANA IPv6 Special-Purpose Address Registry within global unicast. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and others
  ['2001:db8::', 32], // documentation (RFC 3849)
  ['2002::', 16], // 6to4 (RFC 3056), which carries any IPv4 address
  ['2620:4f:8000::', 48], // AS112 (RFC 7534)
  ['3fff::', 20], // documentation (RFC 9637)
];

function blockList(
  family: 'ipv4' | 'ipv6',
  subnets: readonly (readonly [network: string, prefix: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

const specialIpv4 = blockList('ipv4', SPECIAL_IPV4);
const globalIpv6 = blockList('ipv6', [GLOBAL_IPV6]);
const specialIpv6 = blockList('ipv6', SPECIAL_IPV6);

/**
 * Whether an IP address in text form is public.
 *
 * False for special-purpose blocks, text that is not an address, and addresses with a zone. IPv6 addresses must be
 * global unicast, so forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are refused,
 * whichever address they carry.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !specialIpv4.check(address, 'ipv4');
  if (version === 6) return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
  return false;
}
