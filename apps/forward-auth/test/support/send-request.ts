import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** Headers of a request; a list is sent as several headers. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** A response as the client sees it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request such as `GET /a/../b` to a local port, with its path as it is. */
export async function sendRequest(
  port: number,
  target: string,
  headers: RequestHeaders = {},
): Promise<ReceivedResponse> {
  const [method = '', path = ''] = target.split(' ');
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new TypeError('no response');
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
