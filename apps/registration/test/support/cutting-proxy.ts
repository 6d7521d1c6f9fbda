import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Where a connection is cut, once: before a request reaches the server, or before its response returns. */
export type Cut = 'before the statement' | 'before the response';

/** A proxy before Postgres that cuts the connection of one statement. */
export interface CuttingProxy {
  readonly url: string;
  /** Cuts the next connection on which data is sent, at this point. */
  cutNext(cut: Cut): void;
}

/** A proxy that lets everything pass until the test cuts a connection. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  let next: Cut | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isDoomed = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => {
      const cut = next;
      next = undefined;
      if (cut === 'before the statement') end();
      else upstream.write(bytes);
      isDoomed ||= cut === 'before the response';
    });
    upstream.on('data', (bytes) => {
      if (isDoomed) end();
      else client.write(bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? String(address.port) : '';
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: ownPort }).href,
    cutNext: (cut) => {
      next = cut;
    },
  };
}
