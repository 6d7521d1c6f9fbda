import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, issue, type Members, registerResourceServer, send } from './support/api.js';
import { type Flow, registerPublished, runCodeFlow } from './support/code-flow.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';
import { openWebBrowser } from './support/web-browser.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startStandalone(folder.path, { REGISTRATION_CREATED_STATUS: '201' });
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

const registered = (metadata: Members, authentication?: openid.ClientAuth) =>
  registerPublished(stack, metadata, authentication);

const codeFlow = (config: openid.Configuration, flow: Omit<Flow, 'browser'> & Partial<Flow> = {}) =>
  runCodeFlow(config, { browser: openWebBrowser(stack.baseUrl), ...flow });

const idOf = (config: openid.Configuration) => config.clientMetadata().client_id;

it('issues tokens for a pushed request with PKCE, which introspection, userinfo, refresh and revocation accept', async () => {
  const resourceServer = await registerResourceServer(stack);
  const config = await registered({ scope: 'openid email read' });
  const tokens = await codeFlow(config, { isPushed: true });
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'openid email read' });
  expect(tokens.claims()).toMatchObject({ sub: 'alice', iss: stack.issuer, aud: idOf(config) });
  expect(await introspect(stack, resourceServer, { token: tokens.access_token })).toEqual({
    active: true,
    scope: 'openid email read',
    client_id: idOf(config),
    username: 'alice',
    token_type: 'Bearer',
    exp: expect.any(Number),
    iat: expect.any(Number),
    sub: 'alice',
    iss: stack.issuer,
    // Details of the login (OpenID Connect Core 1.0 section 2).
    sid: expect.any(String),
    auth_time: expect.any(Number),
    acr: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
  });
  expect(await openid.fetchUserInfo(config, tokens.access_token, 'alice')).toEqual({
    sub: 'alice',
    email: 'alice@example.com',
    email_verified: true,
  });
  const refreshed = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
  expect(await introspect(stack, resourceServer, { token: refreshed.access_token })).toMatchObject({
    active: true,
  });
  await openid.tokenRevocation(config, refreshed.access_token);
  for (const token of [refreshed.access_token, tokens.access_token])
    expect(await introspect(stack, resourceServer, { token })).toEqual({ active: false });
});

it('binds tokens to the key of a client that authenticates with a signed assertion', async () => {
  const { privateKey, publicKey } = await openid.randomDPoPKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const metadata = {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ kty, crv, x, y, use: 'sig', alg: 'ES256', kid: 'k1' }] },
    scope: 'openid read',
    dpop_bound_access_tokens: true,
  };
  const config = await registered(metadata, openid.PrivateKeyJwt({ key: privateKey, kid: 'k1' }));
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
  const tokens = await codeFlow(config, { parameters: { scope: 'openid read' }, DPoP, isPushed: true });
  expect(tokens.token_type).toBe('dpop');
  const resourceServer = await registerResourceServer(stack);
  expect(await introspect(stack, resourceServer, { token: tokens.access_token })).toMatchObject({
    active: true,
    token_type: 'DPoP',
    cnf: { jkt: await DPoP.calculateThumbprint() },
  });
  const claims = await openid.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP });
  expect(claims.sub).toBe('alice');
  await expect(openid.fetchUserInfo(config, tokens.access_token, 'alice')).rejects.toThrow();
});

it('issues a resource server the token with which it may introspect, and refuses it to other clients', async () => {
  const scope = `${stack.issuer}/token/introspect`;
  const client = { redirect_uris: [], grant_types: ['client_credentials'], response_types: [] };
  const caller = await registered({ ...client, scope });
  const {
    access_token: bearer,
    expires_in,
    scope: given,
  } = await openid.clientCredentialsGrant(caller, { scope });
  expect({ expires_in, given }).toEqual({ expires_in: 600, given: scope });
  const token = await issue(stack, { client_id: idOf(caller), sub: 'alice', scope: 'read' });
  const body = new URLSearchParams({ token });
  const response = await openid.fetchProtectedResource(caller, bearer, new URL(scope), 'POST', body);
  expect(await response.json()).toMatchObject({ active: true, sub: 'alice' });
  const other = await registered({ ...client, scope: 'read' });
  await expect(openid.clientCredentialsGrant(other, { scope })).rejects.toMatchObject({
    error: 'invalid_scope',
  });
});

it('revokes tokens of both kinds, refresh tokens and grants with the client', async () => {
  const resourceServer = await registerResourceServer(stack);
  const config = await registered({ scope: 'openid email read' });
  const browser = openWebBrowser(stack.baseUrl);
  const resource = `${stack.issuer}/clients/${resourceServer.id}`;
  const opaque = await codeFlow(config, { browser });
  const jwt = await codeFlow(config, { browser, parameters: { resource } });
  expect(jwt.access_token.split('.')).toHaveLength(3);
  const states = () =>
    Promise.all(
      [opaque, jwt].map(async ({ access_token: token }) => {
        const { active } = await introspect(stack, resourceServer, { token });
        return active;
      }),
    );
  expect(await states()).toEqual([true, true]);
  const { status } = await send(`${stack.baseUrl}/clients/${idOf(config)}`, 'DELETE', stack.masterToken);
  expect(status).toBe(204);
  expect(await states()).toEqual([false, false]);
  await expect(openid.refreshTokenGrant(config, String(opaque.refresh_token))).rejects.toMatchObject({
    error: 'invalid_client',
  });
});

it('revokes a self-contained token when its refresh token is revoked', async () => {
  const resourceServer = await registerResourceServer(stack);
  const config = await registered({ scope: 'openid read' });
  const resource = `${stack.issuer}/clients/${resourceServer.id}`;
  const tokens = await codeFlow(config, { parameters: { resource, scope: 'openid read' } });
  const token = tokens.access_token;
  expect(await introspect(stack, resourceServer, { token })).toMatchObject({
    active: true,
    aud: [resourceServer.id],
    sub: 'alice',
    client_id: idOf(config),
  });
  await openid.tokenRevocation(config, String(tokens.refresh_token));
  expect(await introspect(stack, resourceServer, { token })).toEqual({ active: false });
});

it('logs in with a session opened by the master token without asking, until it is ended', async () => {
  const config = await registered({ scope: 'openid email read' });
  const opened = await send(`${stack.baseUrl}/direct-authz/sessions`, 'POST', stack.masterToken, {
    sub: 'bob',
    client_ids: [idOf(config)],
  });
  expect(opened.status).toBe(200);
  const session = JSON.parse(opened.text);
  expect(session).toEqual({
    sid: expect.any(String),
    clients: { [idOf(config)]: { sid: expect.any(String) } },
    cookie: { name: 'vestibule_session', value: expect.any(String) },
  });
  const browser = openWebBrowser(stack.baseUrl);
  browser.setCookie(session.cookie.name, session.cookie.value);
  const silent = { browser, parameters: { prompt: 'none' } };
  const tokens = await codeFlow(config, silent);
  expect(tokens.claims()?.sub).toBe('bob');
  const end = () =>
    send(
      `${stack.baseUrl}/direct-authz/sessions/${session.clients[idOf(config)].sid}`,
      'DELETE',
      stack.masterToken,
    );
  expect((await end()).status).toBe(204);
  await expect(codeFlow(config, silent)).rejects.toMatchObject({ error: 'login_required' });
  const resourceServer = await registerResourceServer(stack);
  expect(await introspect(stack, resourceServer, { token: tokens.access_token })).toEqual({ active: false });
  expect((await end()).status).toBe(404);
});
