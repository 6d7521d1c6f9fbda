import { createServer } from 'node:net';

/** A loopback port that nobody listens on at this moment; somebody may take it in the next. */
export async function freePort(): Promise<number> {
  const port = await listenBriefly(0);
  if (port === undefined) throw new Error('the system gave no port');
  return port;
}

/** Whether one can listen on a loopback port at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenBriefly(port)) !== undefined;
}

function listenBriefly(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const given = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(given));
    });
  });
}
