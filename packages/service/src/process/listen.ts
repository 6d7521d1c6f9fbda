import type { AddressInfo } from 'node:net';
import type { Server } from '@vestibule/http';
import { StartError } from './process-host.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'the process may not use this port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name cannot be resolved',
};

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Name of the setting that the port comes from, for messages. */
  readonly setting: string;
}

/**
 * Opens the port of a server.
 * @returns the port
 * @throws StartError if the port cannot be opened
 */
export async function listen(server: Server, { host, port, setting }: ListenAddress): Promise<number> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw listenError(code, { host, port, setting }) ?? error;
  }
  const address: AddressInfo | string | null = server.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * Explains to the operator why a port cannot be opened.
 * @param code the code of the system error
 * @returns `undefined` if the operator cannot fix the cause
 */
export function listenError(code: string, { host, port, setting }: ListenAddress): StartError | undefined {
  const reason = REASONS[code];
  if (reason === undefined) return undefined;
  return new StartError(`Cannot listen on ${host}, port ${port} (${setting}): ${reason}.`);
}
