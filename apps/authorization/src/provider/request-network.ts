import type { IncomingMessage } from 'node:http';
import { networkOf } from '@vestibule/http';

const networks = new WeakMap<IncomingMessage, string>();

/** Remembers the network of a request, which the library itself cannot determine behind a proxy. */
export function noteNetwork(request: IncomingMessage, ip: string): void {
  networks.set(request, networkOf(ip));
}

/** The network of a request, as counted by the limits. */
export function networkOfRequest(request: IncomingMessage): string {
  return networks.get(request) ?? 'unknown';
}
