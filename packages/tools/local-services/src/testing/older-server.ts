import { connect, createServer, type Socket } from 'node:net';

/** A server as clients of an older one see it. */
export interface OlderServer {
  /** The address of the server, through here. */
  readonly url: string;
  close(): void;
}

/**
 * A real Postgres or Redis, passed through, except that the version it reports begins otherwise.
 * @param url its address
 * @param major in place of that of PostgreSQL, two digits, or of Redis, one
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

/** As many bytes as before: lengths stand in front of what is reported. */
function withMajor(bytes: Buffer, major: string): Buffer {
  const text = bytes.toString('latin1');
  const reported = major.length === 1 ? /(\nredis_version:)\d/ : /(server_version\0)\d\d/;
  return Buffer.from(text.replace(reported, `$1${major}`), 'latin1');
}
