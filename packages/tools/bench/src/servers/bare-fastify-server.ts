import formbody from '@fastify/formbody';
import { fastify } from 'fastify';
import { ConstantResponse } from './constant-response.js';
import { serveParent } from './serve-parent.js';

// The baseline: Fastify's work for a form or a GET and a response of this size, without an application.
await serveParent(ConstantResponse, async ({ contentType, body, headers }) => {
  const app = fastify();
  await app.register(formbody);
  app.post('/*', async (_request, reply) => reply.header('content-type', contentType).send(body));
  const allHeaders = { ...headers, 'content-type': contentType };
  app.get('/*', async (_request, reply) => reply.headers(allHeaders).send(body));
  return {
    listen: async () => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port),
  };
});
