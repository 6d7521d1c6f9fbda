import process from 'node:process';
import { run } from './joined-server.mjs';
import { postForm, postStack } from './oauth-requests.mjs';
import * as realm from './realm-user.mjs';
import { ensure, step } from './report.mjs';

const { BASE_URL, STACK_PORT } = process.env;

/** Access tokens, ID tokens as hints, and signed introspection responses. */
export async function tryTokens() {
  await run('add-audience.mjs');
  // What `vestibule clients import` does with the realm of the page.
  await postStack('/clients', {
    preferred_client_id: realm.WEB.id,
    preferred_client_secret: realm.WEB.secret,
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    redirect_uris: [realm.CALLBACK],
    post_logout_redirect_uris: [realm.CALLBACK],
  });
  const { keycloak } = await import('./run/requests.mjs');
  const withAttributes = async (attributes) => {
    const [web] = await keycloak('GET', '/clients?clientId=web');
    await keycloak('PUT', `/clients/${web.id}`, { ...web, attributes: { ...web.attributes, ...attributes } });
  };

  await step('login, introspect', async () => {
    const { access_token, id_token, refresh_token } = await realm.signIn();
    const response = await realm.ensureActive(access_token);
    ensure(response.client_id === 'web' && response.scope.includes('orders'), JSON.stringify(response));
    ensure(response.aud.join() === 'https://orders.example', JSON.stringify(response));
    for (const other of [id_token, refresh_token]) await realm.ensureInactive(other);
  });

  await step('client_credentials, introspect', async () => {
    const { access_token } = await realm.request({ grant_type: 'client_credentials', scope: 'orders' });
    await realm.ensureActive(access_token);
  });

  await step('at+jwt, introspect', async () => {
    await withAttributes({ 'access.token.header.type.rfc9068': 'true' });
    await realm.ensureActive((await realm.signIn()).access_token);
    await withAttributes({ 'access.token.header.type.rfc9068': 'false' });
  });

  await step('lightweight access tokens are inactive', async () => {
    await withAttributes({ 'client.use.lightweight.access.token.enabled': 'true' });
    await realm.ensureInactive((await realm.signIn()).access_token);
    await withAttributes({ 'client.use.lightweight.access.token.enabled': 'false' });
    await realm.ensureActive((await realm.signIn()).access_token);
  });

  await step('introspect at the address of Keycloak’s discovery document', async () => {
    const { introspection_endpoint: url } = await (
      await fetch(`${BASE_URL}/.well-known/openid-configuration`)
    ).json();
    const { client_id: id, client_secret: secret } = await realm.ordersApi();
    const { access_token: token } = await realm.signIn();
    const response = await postForm(url, { token }, { id, secret });
    ensure(response.active && response.aud !== undefined, JSON.stringify(response));
  });

  await step('signed introspection response', async () => {
    const { client_id: id, client_secret: secret } = await realm.ordersApi();
    const { access_token: token } = await realm.signIn();
    const response = await fetch(`${BASE_URL}/token/introspect`, {
      method: 'POST',
      headers: {
        accept: 'application/token-introspection+jwt',
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token }),
    });
    const [header] = (await response.text())
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    const { keys } = await (await fetch(`${BASE_URL}/jwks.json`)).json();
    ensure(
      keys.some(({ kid }) => kid === JSON.parse(header).kid),
      header,
    );
  });

  await step('ID token as a hint at /logout', async () => {
    const { id_token } = await realm.signIn();
    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: realm.CALLBACK,
    });
    const response = await fetch(`http://127.0.0.1:${STACK_PORT}/logout?${query}`, { redirect: 'manual' });
    // It proves the client, and ends nothing: the browser has no session of Vestibule.
    ensure(
      response.headers.get('location') === realm.CALLBACK,
      `the logout page responds ${response.status}`,
    );
  });
}
