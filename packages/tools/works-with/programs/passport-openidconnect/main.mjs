import { once } from 'node:events';
import process from 'node:process';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { register } from './register.mjs';
import { ensure, refusedStep, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, PORT } = process.env;
const home = `http://127.0.0.1:${PORT}`;

reportVersion('passport-openidconnect');

passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ saveUninitialized: false, resave: false, secret: crypto.randomUUID() }));
app.use(passport.session());

/** An application for a client that is registered with these members. */
async function serve(name, members, options = {}) {
  const callbackURL = `${home}/${name}/callback`;
  const client = await register({ redirect_uris: [callbackURL], scope: 'openid profile', ...members });
  const strategy = new OpenIDConnectStrategy(
    {
      issuer: BASE_URL,
      authorizationURL: `${BASE_URL}/authorize`,
      tokenURL: `${BASE_URL}/token`,
      userInfoURL: `${BASE_URL}/userinfo`,
      clientID: client.client_id,
      clientSecret: client.client_secret,
      callbackURL,
      scope: ['profile'],
      ...options,
    },
    (_issuer, profile, done) => done(null, profile),
  );
  app.get(`/${name}`, passport.authenticate(strategy));
  app.get(`/${name}/callback`, passport.authenticate(strategy), (request, response) =>
    response.json(request.user),
  );
}

await serve('default', {});
const byPost = { token_endpoint_auth_method: 'client_secret_post' };
await serve('post', byPost);
await serve('profile', byPost, { skipUserProfile: false });
app.use((error, _request, response, _next) => {
  const { message, code, oauthError } = error;
  response.status(500).json({ message: `${message} ${oauthError?.data ?? ''}`, code });
});

const listening = app.listen(Number(PORT), '127.0.0.1');
await once(listening, 'listening');

async function logIn(name) {
  const { text } = await visit(`${home}/${name}`, { session: name });
  const body = JSON.parse(text);
  if (body.message !== undefined) throw new Error(`${body.code ?? ''} ${body.message}`.trim());
  return body;
}

await refusedStep('login without a registered method', () => logIn('default'), /client_secret_basic/);
await step('login (code)', async () => {
  const { id } = await logIn('post');
  ensure(id === 'alice', `the profile is of ${id}`);
});
await step('userinfo', async () => {
  const { displayName } = await logIn('profile');
  ensure(displayName !== undefined, 'the profile has no name');
});
listening.closeAllConnections();
listening.close();
