// Protects a Fastify API with @fastify/bearer-auth, which introspects by oauth4webapi.
import process from 'node:process';
import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';
import * as oauth from 'oauth4webapi';
import { AUDIENCE, registerApi, SCOPE, tryApi } from './api-steps.mjs';
import { reportVersion } from './report.mjs';

const { BASE_URL, PORT } = process.env;

reportVersion('@fastify/bearer-auth');

const api = await registerApi();
const server = { issuer: BASE_URL, introspection_endpoint: `${BASE_URL}/token/introspect` };
const authentication = oauth.ClientSecretBasic(api.client_secret);
const loopback = { [oauth.allowInsecureRequests]: true };

async function introspect(token) {
  const response = await oauth.introspectionRequest(server, api, authentication, token, loopback);
  return oauth.processIntrospectionResponse(server, api, response);
}

const app = Fastify();
app.decorateRequest('subject', '');
await app.register(bearerAuth, {
  addHook: false,
  specCompliance: 'rfc6749',
  auth: async (token, request) => {
    const { active, aud, scope = '', sub } = await introspect(token);
    if (!active || ![aud].flat().includes(AUDIENCE)) return false;
    if (!scope.split(' ').includes(SCOPE)) throw new Error('insufficient_scope');
    request.subject = sub;
    return true;
  },
});
app.setErrorHandler((error, _request, reply) => {
  const { statusCode } = reply;
  if (statusCode === 401) return reply.header('WWW-Authenticate', 'Bearer error="invalid_token"').send();
  if (error.message !== 'insufficient_scope') throw error;
  return reply.code(403).header('WWW-Authenticate', 'Bearer error="insufficient_scope"').send();
});
app.get('/orders', { onRequest: app.verifyBearerAuth }, async (request) => request.subject);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
await tryApi(`http://127.0.0.1:${PORT}/orders`, api);
await app.close();
