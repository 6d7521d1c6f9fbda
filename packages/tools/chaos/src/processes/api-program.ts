import { createServer } from 'node:http';
import { createResourceServer } from '@vestibule/resource-server';

/** An API that verifies access tokens and follows the stream of changes; configured by its environment. */
const { ISSUER = '', GATEWAY = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT } = process.env;

const resourceServer = createResourceServer({
  issuer: ISSUER,
  introspectionEndpoint: `${GATEWAY}/token/introspect`,
  changes: { endpoint: `${GATEWAY}/token/changes` },
  credentials: { method: 'client_secret_basic', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  resource: { identifier: 'https://api.example', audience: 'unchecked' },
});

// Longer than the load pauses, so that no idle connection ends just when a request is sent on it.
const api = createServer({ keepAliveTimeout: 72_000 }, async (request, response) => {
  const { method = '', url = '', headersDistinct } = request;
  const verification = await resourceServer.verify({ method, url, header: (name) => headersDistinct[name] });
  if (verification.outcome === 'accepted') response.end();
  else response.writeHead(verification.status, verification.headers).end(verification.body);
});

api.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  resourceServer.close();
  api.close();
  api.closeAllConnections();
});
