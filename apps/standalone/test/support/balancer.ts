import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer before several servers, which get its requests in turn. */
export interface Balancer {
  readonly baseUrl: string;
  /** Number of responses by status. */
  readonly responses: ReadonlyMap<number, number>;
  /** Adds a server, by its port. */
  add(port: number): void;
  stop(): Promise<void>;
}

/** Starts a load balancer without session affinity: each request goes to the next server. */
export async function startBalancer(): Promise<Balancer> {
  const ports: number[] = [];
  const responses = new Map<number, number>();
  let turn = 0;
  const note = (status: number) => responses.set(status, (responses.get(status) ?? 0) + 1);
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const { method, url, headers } = incoming;
    const port = ports[turn % ports.length];
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      const { statusCode = 502, headers: given } = response;
      note(statusCode);
      outgoing.writeHead(statusCode, given);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => {
      note(502);
      outgoing.destroy();
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://localhost:${port}`,
    responses,
    add: (each) => void ports.push(each),
    stop: () => closed(server),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
