import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of operating systems, and below the ports of databases, which services never send requests
 * to even when their host is allowed.
 */
const FIRST_PORT = 20_000;
const BLOCK_SIZE = 20;

/** The number of blocks that the processes of a machine share. */
export const BLOCKS = 300;

/** The first port of each block marks it as taken. */
const USABLE = BLOCK_SIZE - 1;

/** Then the ports of the first block are given out again, so that one process leaves enough to others. */
const MAX_OWN_BLOCKS = 10;

/**
 * Creates a function that gives out loopback ports that are free at the moment, in sequence, because a caller may not
 * listen yet when the next one is requested. They are from blocks that no other process gives out ports from while this
 * one lives: a port may be listened on later, or again.
 * @param start the number of the block to begin with, or the next one that is not taken
 */
export function portBlocks(start: number): () => Promise<number> {
  const ownBlocks: number[] = [];
  let given = 0;
  let lastRequest: Promise<unknown> = Promise.resolve();
  const nextPort = async () => {
    const block = Math.floor(given / USABLE) % MAX_OWN_BLOCKS;
    ownBlocks[block] ??= await takeBlock(start);
    const port = ownBlocks[block] + 1 + (given % USABLE);
    given += 1;
    return port;
  };
  const nextFreePort = async () => {
    for (let attempt = 0; attempt < MAX_OWN_BLOCKS * USABLE; attempt += 1) {
      const port = await nextPort();
      if (await isPortFree(port)) return port;
    }
    throw new Error('every port of this process is in use');
  };
  return () => {
    const request = lastRequest.then(nextFreePort);
    lastRequest = request.catch(() => undefined);
    return request;
  };
}

/** Takes a block until this process ends. @returns its first port */
async function takeBlock(start: number): Promise<number> {
  for (let offset = 0; offset < BLOCKS; offset += 1) {
    const first = FIRST_PORT + ((start + offset) % BLOCKS) * BLOCK_SIZE;
    if (await mark(first)) return first;
  }
  throw new Error(`other processes have taken all ports from ${FIRST_PORT} on`);
}

/** Listens on the first port of a block. @returns whether it was free */
function mark(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const marker = createServer((socket) => socket.destroy());
    marker.once('error', () => resolve(false));
    // It does not keep the process alive.
    marker.unref().listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

/** Whether a loopback port is free at the moment. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
