import { once } from 'node:events';
import process from 'node:process';
import express from 'express';
import session from 'express-session';
import * as client from 'openid-client';
import { Strategy } from 'openid-client/passport';
import passport from 'passport';
import { register } from './register.mjs';
import { ensure, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, PORT } = process.env;
const server = new URL(BASE_URL);
const home = `http://127.0.0.1:${PORT}`;

reportVersion('openid-client');

const { client_id: id, client_secret: secret } = await register({
  redirect_uris: [`${home}/login`],
  post_logout_redirect_uris: [`${home}/goodbye`],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'openid email',
});

const config = await step('discovery', () =>
  client.discovery(server, id, secret, undefined, { execute: [client.allowInsecureRequests] }),
);

const options = { config, scope: 'openid email', callbackURL: `${home}/login` };
passport.use(
  new Strategy(options, (tokens, verified) =>
    verified(null, { ...tokens.claims(), idToken: tokens.id_token }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ saveUninitialized: false, resave: true, secret: crypto.randomUUID() }));
app.use(passport.authenticate('session'));
app.get('/', (request, response) => response.send(`user: ${request.user?.sub}`));
app.get('/login', passport.authenticate(server.host, { successRedirect: '/' }));
app.get('/logout', (request, response) => {
  const { idToken } = request.user;
  request.logout(() => {
    const parameters = { post_logout_redirect_uri: `${home}/goodbye`, id_token_hint: idToken };
    response.redirect(client.buildEndSessionUrl(config, parameters).href);
  });
});
app.get('/goodbye', (_request, response) => response.send('logged out'));

const listening = app.listen(Number(PORT), '127.0.0.1');
await once(listening, 'listening');

await step('login (code, PKCE)', async () => {
  const { text } = await visit(`${home}/login`);
  ensure(text === 'user: alice', `the page says: ${text}`);
});
await step('logout', async () => {
  const { url, text } = await visit(`${home}/logout`);
  ensure(url === `${home}/goodbye`, `the browser ended at ${url}: ${text}`);
});
listening.closeAllConnections();
listening.close();
