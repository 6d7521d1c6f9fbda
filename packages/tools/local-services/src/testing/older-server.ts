import { connect, createServer, type Socket } from 'node:net';

/** A proxy that reports an older server version. */
export interface OlderServer {
  /** The URL of the server through the proxy. */
  readonly url: string;
  close(): void;
}

/**
 * A real PostgreSQL or Redis behind a proxy that changes the reported major version.
 * @param url its URL
 * @param major replacement of the major version: two digits for PostgreSQL, one for Redis
 */
export async function olderServer(url: string, major: string): Promise<OlderServer> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) => client.write(withMajor(bytes, major)));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? String(address.port) : '';
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: ownPort }).href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Same length as before: reported values are length-prefixed. */
function withMajor(bytes: Buffer, major: string): Buffer {
  const text = bytes.toString('latin1');
  const reported = major.length === 1 ? /(\nredis_version:)\d/ : /(server_version\0)\d\d/;
  return Buffer.from(text.replace(reported, `$1${major}`), 'latin1');
}
