import type { ServerResponse } from 'node:http';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';

/** How hosts of documents fail. `gone` is no fault: the host says that there is no document any more. */
export const HOST_FAULTS = ['hang', 'drip', 'long', 'short', 'error', 'killed'] as const;

/** How a host responds instead of sending documents. A `killed` one accepts no connection. */
export type HostFault = (typeof HOST_FAULTS)[number] | 'gone';

const DRIP_MS = 100;
const GONE = 410;
const JSON_TYPE = { 'content-type': MEDIA_TYPE.json };

/** Responds to a request for a document in the way of a fault. */
export function respondWith(fault: HostFault, response: ServerResponse, document: string): void {
  const sizes = { long: document.length * 2, short: Math.floor(document.length / 2) };
  switch (fault) {
    case 'hang':
    case 'killed':
      return;
    case 'drip':
      drip(response.writeHead(200, JSON_TYPE), document);
      return;
    case 'long':
    case 'short':
      // The content is not as long as the header says; Node.js would not send that by itself.
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: ${MEDIA_TYPE.json}\r\ncontent-length: ${sizes[fault]}\r\n\r\n${document}`,
      );
      return;
    case 'error':
      response.writeHead(500, JSON_TYPE).end(document);
      return;
    case 'gone':
      response.writeHead(GONE).end();
      return;
  }
}

/** Sends one byte at a time, for longer than any request may take. */
function drip(response: ServerResponse, document: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(document.charAt(sent % document.length));
    sent += 1;
  }, DRIP_MS);
  response.on('close', () => clearInterval(timer));
}
