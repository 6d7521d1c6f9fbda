// Protects APIs on Express and Fastify with the packed @vestibule/resource-server, which follows the stream of changes.
import { once } from 'node:events';
import process from 'node:process';
import { createResourceServer } from '@vestibule/resource-server';
import * as forExpress from '@vestibule/resource-server/express';
import * as forFastify from '@vestibule/resource-server/fastify';
import express from 'express';
import Fastify from 'fastify';
import { AUDIENCE, registerApi, SCOPE, tryApi } from './api-steps.mjs';
import { reportVersion } from './report.mjs';

const { BASE_URL, PORT } = process.env;

reportVersion('@vestibule/resource-server');

const api = await registerApi();
const orders = createResourceServer({
  issuer: BASE_URL,
  credentials: {
    method: 'client_secret_basic',
    clientId: api.client_id,
    clientSecret: api.client_secret,
  },
  resource: { identifier: AUDIENCE },
  changes: {},
});

const app = express();
app.get('/orders', forExpress.protect(orders, { scope: SCOPE }), (request, response) => {
  response.send(forExpress.accessTokenOf(request).subject);
});
const listening = app.listen(Number(PORT), '127.0.0.1');
await once(listening, 'listening');
await tryApi(`http://127.0.0.1:${PORT}/orders`, api, { prefix: 'Express: ', isCaching: true });
listening.closeAllConnections();
listening.close();

const fastify = Fastify();
fastify.get('/orders', { onRequest: forFastify.protect(orders, { scope: SCOPE }) }, async (request) => {
  return forFastify.accessTokenOf(request).subject;
});
const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
await tryApi(`${address}/orders`, api, { prefix: 'Fastify: ', isCaching: true });
await fastify.close();
orders.close();
