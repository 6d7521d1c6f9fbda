import { createServer } from 'node:http';
import express from 'express';
import { ConstantResponse } from './constant-response.js';
import { listenOn, serveParent } from './serve-parent.js';

// The baseline of Express: its work for a GET and a response of this size, without an application.
await serveParent(ConstantResponse, async ({ contentType, body, headers }) => {
  const app = express();
  const allHeaders = { ...headers, 'content-type': contentType };
  app.get('/{*path}', (_request, response) => {
    response.set(allHeaders).send(body);
  });
  return { listen: () => listenOn(createServer(app)) };
});
