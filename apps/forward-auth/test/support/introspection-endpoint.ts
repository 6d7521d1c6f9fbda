import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An introspection endpoint (RFC 7662) on loopback. */
export interface IntrospectionEndpoint {
  readonly url: string;
  /** Active tokens, with the members of their responses. */
  readonly tokens: Map<string, object>;
  /** Number of requests so far. */
  requests(): number;
  /** Lets requests wait for their response until the returned function is called. */
  hold(): () => void;
  /** Closes all connections, and each new one at once. Its port stays taken: another server would respond in its place. */
  stop(): void;
}

/** The secret of the client `gateway`. */
export const SECRET = 'Zk3TqN8vXc1RbYw5LmPd7HsJf0GaUe2CiOo9tVxBnQr';

const BASIC = `Basic ${Buffer.from(`gateway:${SECRET}`).toString('base64')}`;

/** Starts an endpoint for one test. */
export async function startIntrospectionEndpoint(): Promise<IntrospectionEndpoint> {
  const tokens = new Map<string, object>();
  let requests = 0;
  let gate = Promise.resolve();
  const server = createServer(async (request, response) => {
    requests += 1;
    const form = new URLSearchParams(await readAll(request));
    await gate;
    const isKnown = request.headers.authorization === BASIC;
    const members = tokens.get(form.get('token') ?? '');
    response
      .writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(members === undefined ? { active: false } : { active: true, ...members }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.on('connection', (socket) => void socket.destroy());
    server.closeAllConnections();
  };
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const hold = () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => open();
  };
  return { url: `http://127.0.0.1:${port}/introspect`, tokens, requests: () => requests, hold, stop };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}
