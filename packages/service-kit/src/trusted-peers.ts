import { BlockList, isIP } from 'node:net';

/**
 * Tells whether the other end of a connection is one of some addresses and CIDR blocks. An IPv4 address in the form of
 * an IPv6 one is the IPv4 address.
 * @throws TypeError when one of them is no network
 */
export function trustedPeers(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address = '') => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const version = isIP(address);
  if (version === 0) throw new TypeError('not a network');
  const type = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
}
