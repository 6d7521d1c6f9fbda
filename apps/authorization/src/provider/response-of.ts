import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  ServerResponse,
} from 'node:http';

/** A response of the library, before it is sent. */
export interface ProviderResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | undefined;
}

/**
 * Lets the library respond to a request without sending the response, so that it is sent like every other one: counted,
 * logged, and after everything that has to happen first.
 */
export function responseOf(listener: RequestListener, request: IncomingMessage): Promise<ProviderResponse> {
  return new Promise((resolve) => {
    const response = new ServerResponse(request);
    response.end = ((body?: unknown) => {
      resolve({
        status: response.statusCode,
        headers: response.getHeaders(),
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined,
      });
      response.emit('finish');
      return response;
    }) as ServerResponse['end'];
    listener(request, response);
  });
}
