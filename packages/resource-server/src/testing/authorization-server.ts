import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that reached the server. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
  /** Number of the connection. */
  readonly connection: number;
}

/** Responds to a request in any way, or not at all. */
export type Respond = (request: SeenRequest, response: ServerResponse) => void;

/** An HTTP server on loopback that a test programs, to respond as no correct server would. */
export interface ProgrammedServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  respond: Respond;
  /** Number of connections so far. */
  readonly connections: () => number;
  /** Number of connections that are open. */
  readonly openConnections: () => number;
  /** Stops listening and closes all connections. */
  stop(): Promise<void>;
}

/** Starts a server for one test. */
export async function startProgrammedServer(respond: Respond): Promise<ProgrammedServer> {
  const requests: SeenRequest[] = [];
  const numbers = new WeakMap<object, number>();
  let [connections, open] = [0, 0];
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const connection = numbers.get(request.socket) ?? 0;
      const { method = '', url: path = '', headers } = request;
      const seen = { method, path, headers, form: new URLSearchParams(body), connection };
      requests.push(seen);
      programmed.respond(seen, response);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    numbers.set(socket, connections);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const programmed: ProgrammedServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    respond,
    connections: () => connections,
    openConnections: () => open,
    stop: () => stop(server),
  };
  onTestFinished(programmed.stop);
  return programmed;
}

/** Responds with JSON. */
export function json(
  members: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Respond {
  return (_request, response) => {
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(members));
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
