import { isIP } from 'node:net';

/**
 * Returns the network of an address for rate limits: /24 for IPv4 and /56 for IPv6, which is what a household or host
 * typically gets. IPv4-mapped IPv6 addresses count as IPv4. All texts that are not addresses count as one network.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  if (version === 4) return ipv4Network(plain.split('.').map(Number));
  if (version === 0) return 'unknown';
  const groups = expandedGroups(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return ipv4Network([high >> 8, high & 0xff, low >> 8]);
  const prefix = [...groups.slice(0, 3), (groups[3] ?? 0) & 0xff00];
  return `${prefix.map((group) => group.toString(16)).join(':')}::/56`;
}

function ipv4Network(octets: readonly number[]): string {
  return `${octets.slice(0, 3).join('.')}.0/24`;
}

/** Returns the eight groups of an IPv6 address. `URL` normalizes the address, without dotted octets. */
function expandedGroups(address: string): readonly number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = canonical.split('::');
  const head = hexGroups(before);
  if (after === undefined) return head;
  const tail = hexGroups(after);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function hexGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
