import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** A DNS server on the loopback address. */
export interface DnsServer {
  /** `address:port`. */
  readonly address: string;
  /** Number of queries so far. */
  requests(): number;
  close(): Promise<void>;
}

/** Returns the addresses of a name in one family; `undefined` leaves the query without a response. */
export type DnsZone = (name: string, family: 4 | 6) => readonly string[] | undefined;

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

function readName(message: Buffer): string {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  while (offset < message.length && message[offset] !== 0) {
    const length = message[offset] ?? 0;
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return labels.join('.').toLowerCase();
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function reply(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  // Name (with its terminating zero), type and class; options after the question section are left out.
  const request = query.subarray(HEADER_BYTES, HEADER_BYTES + readName(query).length + 2 + 4);
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, request, ...records]);
}

/** Starts a DNS server that responds from a function (RFC 1035 section 4). */
export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  let requests = 0;
  socket.on('message', (query, peer) => {
    requests += 1;
    const name = readName(query);
    const type = query.readUInt16BE(HEADER_BYTES + name.length + 2);
    const addresses = type === TYPE_A || type === TYPE_AAAA ? zone(name, type === TYPE_A ? 4 : 6) : [];
    if (addresses !== undefined) socket.send(reply(query, type, addresses), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requests: () => requests,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
