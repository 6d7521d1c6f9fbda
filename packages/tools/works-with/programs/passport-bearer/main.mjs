// Protects an Express API with a strategy of Passport that introspects by openid-client.
import { once } from 'node:events';
import process from 'node:process';
import express from 'express';
import * as client from 'openid-client';
import passport from 'passport';
import { AUDIENCE, registerApi, SCOPE, tryApi } from './api-steps.mjs';
import { reportVersion } from './report.mjs';

const { BASE_URL, PORT } = process.env;

reportVersion('passport');

const api = await registerApi();
const config = new client.Configuration(
  { issuer: BASE_URL, introspection_endpoint: `${BASE_URL}/token/introspect` },
  api.client_id,
  undefined,
  client.ClientSecretBasic(api.client_secret),
);
client.allowInsecureRequests(config);

class BearerStrategy extends passport.Strategy {
  name = 'bearer';

  authenticate(request) {
    const [, token] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return this.fail('Bearer');
    client.tokenIntrospection(config, token).then(({ active, aud, scope = '', sub }) => {
      if (!active || ![aud].flat().includes(AUDIENCE)) this.fail('Bearer error="invalid_token"');
      else if (!scope.split(' ').includes(SCOPE)) this.error(new Error('insufficient_scope'));
      else this.success({ sub });
    }, this.error);
  }
}
passport.use(new BearerStrategy());

const app = express();
app.get('/orders', passport.authenticate('bearer', { session: false }), (request, response) => {
  response.send(request.user.sub);
});
app.use((error, _request, response, next) => {
  if (error.message !== 'insufficient_scope') return next(error);
  response.status(403).set('WWW-Authenticate', 'Bearer error="insufficient_scope"').end();
});

const listening = app.listen(Number(PORT), '127.0.0.1');
await once(listening, 'listening');
await tryApi(`http://127.0.0.1:${PORT}/orders`, api);
listening.closeAllConnections();
listening.close();
