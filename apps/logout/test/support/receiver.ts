import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A logout token as received. */
export interface ReceivedToken {
  readonly token: string;
  readonly atMs: number;
  readonly contentType: string | undefined;
}

/** A client that receives logout tokens. */
export interface Receiver {
  /** `host:port`, for EGRESS_ALLOW_HOSTS. */
  readonly place: string;
  readonly url: string;
  readonly received: ReceivedToken[];
  /** Maximum number of parallel requests. */
  mostAtOnce(): number;
}

/** How a receiver handles a request after reading it; the last argument is the number of the request. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, number: number) => void;

/** Responds with a status. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (_request, response) => {
    response.writeHead(code, headers).end();
  };
}

/** Never responds. */
export const hang: Behaviour = () => undefined;

/** Breaks the connection. */
export const reset: Behaviour = (request) => request.socket.resetAndDestroy();

/** Sends the beginning of a response and then single bytes, without end. */
export const drip: Behaviour = (request) => {
  request.socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
  const timer = setInterval(() => request.socket.write('x'), 20);
  request.socket.on('close', () => clearInterval(timer));
};

/** Sends a body without end, as fast as it is read. */
export const flood: Behaviour = (_request, response) => {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on('drain', more);
  more();
};

/** Starts a receiver on a loopback address, which ends with the test. */
export async function aReceiver(behave: Behaviour = status(200), address = '127.0.0.1'): Promise<Receiver> {
  const received: ReceivedToken[] = [];
  let atOnce = 0;
  let most = 0;
  let count = 0;
  const server = createServer((request, response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    request.socket.once('close', () => {
      atOnce -= 1;
    });
    request.socket.on('error', () => undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const contentType = request.headers['content-type'];
      received.push({ token: form.get('logout_token') ?? '', atMs: Date.now(), contentType });
      count += 1;
      behave(request, response, count);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const place = `${address}:${port}`;
  return { place, url: `http://${place}/logout?tenant=secret`, received, mostAtOnce: () => most };
}
