import { openConnection } from '../load/connection.js';
import type { RawResponse } from '../load/response-reader.js';
import { startChildServer } from '../servers/child-server.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Exchange, OpenTarget, Replay, Target } from '../workloads/workload.js';

/** The response of a bare server to every request. */
export interface Constant {
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The name of the bare Fastify route. */
export const LIMIT = 'limit';
/** The name of the bare server of Node. */
export const BARE_HTTP = 'bare node:http';
/** The name of the bare Express route. */
export const BARE_EXPRESS = 'bare Express';

const SERVERS = {
  [LIMIT]: 'bare-fastify',
  [BARE_HTTP]: 'bare-http',
  [BARE_EXPRESS]: 'bare-express',
} as const;

/** A server that responds to the same requests with a constant. */
export function bareServer(
  { pinning }: TestEnvironment,
  name: keyof typeof SERVERS,
  options: ConstantOptions,
): Target {
  return {
    name,
    open: async () => {
      const { process, port } = await startChildServer(SERVERS[name], options.response, pinning.serverPrefix);
      return { port, pid: process.pid, traffic: constantTraffic(options), close: process.stop };
    },
  };
}

/** The requests and the response of a constant server. */
export interface ConstantOptions {
  readonly response: Constant;
  readonly requests: readonly string[];
}

/** Requests that all get the constant. */
export function constantTraffic({ response, requests }: ConstantOptions): Replay {
  const [request = ''] = requests;
  return { kind: 'replay', load: requests, samples: [constantExchange(request, response)] };
}

/** An exchange whose response is constant. */
export function constantExchange(request: string, { body }: Constant): Exchange {
  return {
    request,
    problem: (response) =>
      response.status === 200 && response.body === body ? undefined : 'not the constant response',
  };
}

/** A constant with the media type and size of a response. */
export function constantLike({ headers, body }: RawResponse): Constant {
  return { contentType: headers.get('content-type') ?? 'application/json', body, headers: {} };
}

/** Headers that a server of Node sets itself. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive']);

/** A constant with every header of a response to a GET. */
export function constantWithHeaders(response: RawResponse): Constant {
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name));
  return { ...constantLike(response), headers: Object.fromEntries(headers) };
}

/** The response of a target to its first sample, unchecked. */
export async function firstResponse(target: Target): Promise<RawResponse> {
  const opened: OpenTarget = await target.open();
  try {
    const { traffic, port } = opened;
    const request = traffic.kind === 'replay' ? traffic.samples[0]?.request : traffic.source.next();
    if (request === undefined) throw new RangeError('the target has no sample');
    const connection = await openConnection(port);
    const response = await connection.send(request);
    connection.close();
    return response;
  } finally {
    await opened.close();
  }
}
