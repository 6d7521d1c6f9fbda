import { createResourceServer } from '@vestibule/resource-server';
import { serveApi } from './serve-api.js';

/** An API that verifies access tokens and follows the stream of changes; configured by its environment. */
const { ISSUER = '', GATEWAY = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT } = process.env;

const resourceServer = createResourceServer({
  issuer: ISSUER,
  introspectionEndpoint: `${GATEWAY}/token/introspect`,
  changes: { endpoint: `${GATEWAY}/token/changes` },
  credentials: { method: 'client_secret_basic', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  resource: { identifier: 'https://api.example', audience: 'unchecked' },
});

serveApi(
  Number(PORT),
  async (request, response) => {
    const { method = '', url = '', headersDistinct } = request;
    const verification = await resourceServer.verify({
      method,
      url,
      header: (name) => headersDistinct[name],
    });
    if (verification.outcome === 'accepted') response.end();
    else response.writeHead(verification.status, verification.headers).end(verification.body);
  },
  resourceServer.close,
);
