import type { JsonValue } from '@vestibule/protocol/json';
import { createEgress } from '../egress.js';
import { type RawServer, respondHttp, startRawServer } from './raw-server.js';

/** The response of a server to every request. */
export type ServedDocument = readonly [body: string, contentType?: string, status?: string];

/** Creates servers of one document each, which are stopped together. */
export function documentServers() {
  const running: RawServer[] = [];
  return {
    /** Starts a server, with an egress that may reach it. */
    serve: async (...[body, contentType = 'application/json', status = '200 OK']: ServedDocument) => {
      const headers = [`content-type: ${contentType}`, 'location: https://app.example/'];
      const server = await startRawServer((socket) => respondHttp(socket, status, headers, body));
      running.push(server);
      const egress = createEgress({ allowHosts: [`127.0.0.1:${server.port}`] });
      return { server, egress, url: `http://127.0.0.1:${server.port}/document` };
    },
    close: async () => {
      await Promise.all(running.splice(0).map((server) => server.close()));
    },
  };
}

/** Pads JSON with blanks to exactly the given number of bytes. */
export function padded(value: JsonValue, bytes: number): string {
  return JSON.stringify(value).padEnd(bytes, ' ');
}
