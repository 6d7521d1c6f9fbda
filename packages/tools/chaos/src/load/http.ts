import { Agent, request } from 'node:http';

/** A response of a service. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** A client of one service with persistent connections. */
export interface HttpCaller {
  /** Posts a form. Rejects when there is no response: connection refused, reset or timed out. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** Sends a GET request with the same credentials. */
  get(path: string): Promise<HttpResponse>;
  close(): void;
}

/** Longer than any response may take, so that slow responses are measured as slow. */
const TIMEOUT_MS = 12_000;

/** A caller with its credentials. */
export function httpCaller(port: number, authorization: string): HttpCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  return {
    post: (path, form) =>
      send({ port, path, agent }, { authorization, body: new URLSearchParams(form).toString() }),
    get: (path) => send({ port, path, agent }, { authorization }),
    close: () => agent.destroy(),
  };
}

const INACTIVE = '{"active":false}';

/**
 * A caller that presents tokens to an API, which responds with 401 to those that are not active, and that writes the response
 * like one of the introspection endpoint.
 */
export function tokenBearer(port: number): Pick<HttpCaller, 'post' | 'close'> {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  return {
    post: async (_path, { token = '' }) => {
      const { status } = await send({ port, path: '/', agent }, { authorization: `Bearer ${token}` });
      return status === 401 ? { status: 200, body: INACTIVE } : { status, body: '' };
    },
    close: () => agent.destroy(),
  };
}

/** Sends one GET request over a new connection. */
export function getOnce(port: number, path: string): Promise<HttpResponse> {
  return send({ port, path });
}

/** Posts JSON once, with a bearer token. */
export function postJson(port: number, path: string, token: string, value: object): Promise<HttpResponse> {
  return send(
    { port, path },
    { authorization: `Bearer ${token}`, body: JSON.stringify(value), type: 'application/json' },
  );
}

/** Posts a body once, without credentials. */
export function postOnce(
  port: number,
  path: string,
  posted: Omit<Posted, 'authorization'>,
): Promise<HttpResponse> {
  return send({ port, path }, posted);
}

interface Place {
  readonly port: number;
  readonly path: string;
  readonly agent?: Agent;
}

interface Posted {
  readonly authorization?: string;
  /** Absent for a GET request. */
  readonly body?: string;
  readonly type?: string;
}

function send(place: Place, posted?: Posted): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { authorization, body, type = 'application/x-www-form-urlencoded' } = posted ?? {};
    const content = body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const headers = { ...(authorization !== undefined && { authorization }), ...content };
    const outgoing = request(
      { host: '127.0.0.1', ...place, method: body === undefined ? 'GET' : 'POST', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
        response.on('error', reject);
      },
    );
    outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('no response')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
