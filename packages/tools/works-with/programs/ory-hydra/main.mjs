// Joins Ory Hydra as packages/guides/join-ory-hydra.md says, with the files of that page.
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { newKey, startHydra } from './hydra-server.mjs';
import * as hydraUser from './hydra-user.mjs';
import { run, until } from './joined-server.mjs';
import { decoded, postForm, postStack } from './oauth-requests.mjs';
import { ensure, step } from './report.mjs';

const { BASE_URL, MASTER_TOKEN } = process.env;
const { AUDIENCE, CALLBACK, ensureActive, ensureInactive, request, signIn } = hydraUser;
const WEB = { id: 'web', secret: 'web-secret-of-at-least-32-characters' };
const KIOSK = { id: 'kiosk', secret: 'kiosk-secret-of-at-least-32-characters' };
const NEW_KEY_MS = 30_000;

await startHydra();

// The back channel of the client `web`.
const notified = [];
const application = createServer(async (incoming, response) => {
  notified.push(new URLSearchParams(await text(incoming)).get('logout_token'));
  response.end();
}).listen(0, '127.0.0.1');
await once(application, 'listening');
const backchannel_logout_uri = `http://127.0.0.1:${application.address().port}/`;
const { hydra } = await import('./run/requests.mjs');
for (const [client, access_token_strategy] of [
  [WEB, 'jwt'],
  [KIOSK, 'opaque'],
]) {
  const metadata = {
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    redirect_uris: [CALLBACK],
  };
  const both = { preferred_client_id: client.id, preferred_client_secret: client.secret };
  const logout = { backchannel_logout_uri, post_logout_redirect_uris: [CALLBACK] };
  await postStack('/clients', { ...metadata, ...both, ...logout });
  await hydra('POST', '/admin/clients', {
    ...metadata,
    client_id: client.id,
    client_secret: client.secret,
    scope: 'openid offline_access orders',
    audience: [AUDIENCE],
    access_token_strategy,
  });
}
const refresh = ({ refresh_token }, client = WEB) =>
  postForm(`${BASE_URL}/oauth2/token`, { grant_type: 'refresh_token', refresh_token }, client);

const first = await step('login, introspect a JWT access token', async () => {
  const tokens = await signIn(WEB);
  const { sid } = await ensureActive(tokens.access_token);
  ensure(sid === decoded(tokens.id_token).claims.sid, sid);
  for (const other of [tokens.id_token, tokens.refresh_token]) await ensureInactive(other);
  return tokens;
});
await step('client_credentials, introspect', async () => {
  const fields = { grant_type: 'client_credentials', scope: 'orders' };
  await ensureActive((await request({ ...fields, audience: AUDIENCE }, WEB)).access_token);
  // Hydra writes an empty audience, which names no resource server.
  await ensureInactive((await request(fields, WEB)).access_token);
});
const opaque = await step(
  'login without a question at a second client, introspect an opaque token',
  async () => {
    const tokens = await signIn(KIOSK);
    ensure(!tokens.isAsked && tokens.access_token.startsWith('ory_at_'), JSON.stringify(tokens));
    await ensureActive(tokens.access_token);
    await ensureInactive(tokens.refresh_token);
    return tokens;
  },
);
await step('refresh, revoke at Hydra: inactive', async () => {
  const renewed = await refresh(first);
  await ensureActive(renewed.access_token);
  await postForm(`${BASE_URL}/oauth2/revoke`, { token: renewed.access_token }, WEB);
  await ensureInactive(renewed.access_token);
});
await step('rotate keys, introspect old and new', async () => {
  const before = await signIn(WEB);
  const earlier = (await hydra('GET', '/admin/keys/hydra.jwt.access-token')).keys;
  // Hydra signs with the last one.
  const keys = [...earlier, newKey('hydra.jwt.access-token 2')];
  await hydra('PUT', '/admin/keys/hydra.jwt.access-token', { keys });
  const after = await signIn(WEB);
  ensure(
    decoded(after.access_token).header.kid !== decoded(before.access_token).header.kid,
    'it is the same key',
  );
  const isActive = () =>
    ensureActive(after.access_token).then(
      () => true,
      () => false,
    );
  await until('the new key', isActive, NEW_KEY_MS);
  await ensureActive(before.access_token);
});
await step(
  'logout page: both clients are notified, their tokens are inactive, refresh is refused, the next login asks',
  async () => {
    const tokens = await signIn(WEB);
    ensure(!tokens.isAsked, 'the session has ended before');
    const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: CALLBACK });
    const page = await hydraUser.openPage(`${BASE_URL}/oauth2/sessions/logout?${query}`);
    ensure(page.url.pathname === '/logout', page.url.href);
    const landed = await hydraUser.submitPage(page, { decision: 'accept' });
    ensure(landed.url.href.startsWith(CALLBACK), landed.url.href);
    for (const { access_token } of [tokens, opaque]) await ensureInactive(access_token);
    await until('both clients are notified', () => notified.length === 2);
    const subjects = notified.map((token) => decoded(token).claims.sub);
    ensure(subjects.join() === 'ada,ada', subjects.join());
    const refused = await refresh(tokens);
    ensure(refused.error === 'access_denied', JSON.stringify(refused));
    const again = await signIn(WEB);
    ensure(again.isAsked, 'Hydra has kept its session');
    await ensureActive(again.access_token);
  },
);
await step('end a session at Vestibule by its Hydra identifier', async () => {
  const tokens = await signIn(WEB);
  const { sid } = decoded(tokens.access_token).claims;
  await postStack(`/direct-authz/sessions/${sid}`, undefined, 'DELETE');
  await ensureInactive(tokens.access_token);
  ensure((await signIn(WEB)).isAsked, 'Hydra has kept its session');
});
await step(
  'register at the address of Hydra’s discovery document, copy, login, introspect, delete',
  async () => {
    const { registration_endpoint: url } = await (
      await fetch(`${BASE_URL}/.well-known/openid-configuration`)
    ).json();
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${MASTER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Notes',
        redirect_uris: [CALLBACK],
        scope: 'openid offline_access orders',
      }),
    });
    const { client_id, client_secret } = await response.json();
    await run('copy-clients.mjs');
    await ensureActive((await signIn({ id: client_id, secret: client_secret })).access_token);
    await postStack(`/clients/${client_id}`, undefined, 'DELETE');
    await run('copy-clients.mjs');
    ensure((await hydra('GET', `/admin/clients/${client_id}`)) === undefined, 'it is still there');
  },
);
process.exit(0);
