import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Clients that accept every logout token immediately, each at its own loopback address. */
export interface LogoutReceivers {
  /** `host:port` of each. */
  readonly authorities: readonly string[];
  /** The number of received tokens. */
  count(): number;
  /** Resolves when that many have arrived, with the time of the last one. */
  untilCount(count: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts receivers in this process. */
export async function startLogoutReceivers(hosts: number): Promise<LogoutReceivers> {
  let arrived = 0;
  let waiting: { readonly count: number; readonly resolve: (atMs: number) => void } | undefined;
  const arrive = () => {
    arrived += 1;
    if (waiting === undefined || arrived < waiting.count) return;
    waiting.resolve(performance.now());
    waiting = undefined;
  };
  const start = async (host: string) => {
    const server = createServer((request, response) => {
      arrive();
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return { server, authority: `${host}:${(server.address() as AddressInfo).port}` };
  };
  const started = await Promise.all(
    Array.from({ length: hosts }, (_, index) => start(`127.0.30.${index + 1}`)),
  );
  return {
    authorities: started.map(({ authority }) => authority),
    count: () => arrived,
    untilCount: (count) =>
      arrived >= count
        ? Promise.resolve(performance.now())
        : new Promise((resolve) => {
            waiting = { count, resolve };
          }),
    close: async () => {
      for (const { server } of started) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
