import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of operating systems, and below the ports of databases, which services never send requests
 * to even when their host is allowed.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 26_000;
const ATTEMPTS = 100;

/** Sequential: a caller may not listen yet when the next port is requested. */
let next = randomInt(FIRST_PORT, LAST_PORT);

/** A free loopback port that no process gets without naming it, and that this process has not given out recently. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = next;
    next = port + 1 < LAST_PORT ? port + 1 : FIRST_PORT;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port from ${FIRST_PORT} to ${LAST_PORT}`);
}

/** Whether a loopback port is free at the moment. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
