import type { IncomingMessage } from 'node:http';
import { networkOf } from '@vestibule/service-kit';

const networks = new WeakMap<IncomingMessage, string>();

/** Keeps where a request came from, which the library itself cannot tell behind a proxy. */
export function noteNetwork(request: IncomingMessage, ip: string): void {
  networks.set(request, networkOf(ip));
}

/** The network that a request came from, as the limits count it. */
export function networkOfRequest(request: IncomingMessage): string {
  return networks.get(request) ?? 'unknown';
}
