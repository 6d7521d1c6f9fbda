import { BlockList, isIP } from 'node:net';

/**
 * Creates a check whether a peer address is in one of the given addresses and CIDR blocks. IPv4-mapped IPv6 addresses
 * count as IPv4.
 * @throws TypeError if one of them is not a network
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
