import { createServer } from 'node:http';
import { ConstantResponse } from './constant-response.js';
import { listenOn, serveParent } from './serve-parent.js';

// Node's own work for the same exchange: the body is read completely and not parsed.
await serveParent(ConstantResponse, async ({ contentType, body }) => {
  const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200, headers).end(body));
  });
  return { listen: () => listenOn(server) };
});
