import { once } from 'node:events';
import process from 'node:process';
import express from 'express';
import openIdConnect from 'express-openid-connect';
import { register } from './register.mjs';
import { ensure, refusedStep, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, MASTER_TOKEN, PORT } = process.env;
const home = `http://localhost:${PORT}`;
const secret = crypto.randomUUID();

reportVersion('express-openid-connect');

/** Sessions that a logout token can end. */
function memoryStore() {
  const entries = new Map();
  return {
    get: (id, done) => done(null, entries.get(id)),
    set: (id, value, done) => done?.(entries.set(id, value) && null),
    destroy: (id, done) => done?.(entries.delete(id) && null),
  };
}

/** Serves an application at a path of its own. */
async function serve(name, members, settings) {
  const baseURL = `${home}/${name}`;
  const client = await register({
    redirect_uris: [`${baseURL}/callback`],
    post_logout_redirect_uris: [baseURL],
    scope: 'openid profile email',
    ...members,
  });
  const own = express();
  own.use(
    openIdConnect.auth({
      issuerBaseURL: BASE_URL,
      baseURL,
      clientID: client.client_id,
      secret,
      idpLogout: true,
      authRequired: false,
      session: { name, cookie: { path: `/${name}` } },
      transactionCookie: { name: `${name}_verification` },
      ...settings(client),
    }),
  );
  own.get('/', (request, response) => response.json(request.oidc.idTokenClaims ?? null));
  app.use(`/${name}`, own);
}

const app = express();
const implicit = { response_types: ['id_token'], grant_types: ['implicit'] };
await refusedStep(
  'quick start (id_token) on http://localhost as a web client',
  () => serve('web', { ...implicit, application_type: 'web' }, () => ({})),
  /must be an https URI/,
);
await serve('quick', implicit, () => ({}));
await serve(
  'code',
  { backchannel_logout_uri: `${home}/code/backchannel-logout`, backchannel_logout_session_required: true },
  ({ client_secret: clientSecret }) => ({
    clientSecret,
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    backchannelLogout: { store: memoryStore() },
  }),
);
const listening = app.listen(Number(PORT), 'localhost');
await once(listening, 'listening');

async function claimsOf(name) {
  const { text } = await visit(`${home}/${name}/`);
  return JSON.parse(text);
}

async function logIn(name) {
  const { url, text } = await visit(`${home}/${name}/login`);
  ensure(text.includes('"alice"'), `the browser ended at ${url}: ${text}`);
}

async function logOut(name) {
  const { url, text } = await visit(`${home}/${name}/logout`);
  ensure(url.startsWith(`${home}/${name}`), `the browser ended at ${url}: ${text}`);
  ensure((await claimsOf(name)) === null, 'the application still has its session');
}

await step('login (id_token, form_post)', () => logIn('quick'));
await step('logout', () => logOut('quick'));
await step('login (code, PKCE)', () => logIn('code'));
await step('back-channel logout', async () => {
  const { sid } = await claimsOf('code');
  await fetch(`${BASE_URL}/direct-authz/sessions/${sid}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${MASTER_TOKEN}` },
  });
  const deadline = Date.now() + 20_000;
  while ((await claimsOf('code')) !== null)
    ensure(Date.now() < deadline, 'the application still has its session');
});
listening.closeAllConnections();
listening.close();
