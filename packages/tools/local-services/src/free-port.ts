import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that leave the choice to them, and below those of
 * databases, to which no request of the product goes even where its host is allowed.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 26_000;
const ATTEMPTS = 100;

/** One after the other: whoever was given a port may not listen on it yet when the next one asks. */
let next = randomInt(FIRST_PORT, LAST_PORT);

/**
 * A loopback port that nobody listens on at this moment, that nobody gets without asking for it by number, and that
 * this process has not given to anyone else of late.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = next;
    next = port + 1 < LAST_PORT ? port + 1 : FIRST_PORT;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port from ${FIRST_PORT} to ${LAST_PORT}`);
}

/** Whether one can listen on a loopback port at this moment. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
