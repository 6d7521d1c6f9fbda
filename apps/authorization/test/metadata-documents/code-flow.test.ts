import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';
import { documentSettings, startDocumentHost } from '../support/document-host.js';

const DISCOVERY = '/.well-known/openid-configuration';

it('gives tokens to a public client that it knows only by its document, fetched once', async () => {
  const { app, host, stored, problems } = await createDocumentFixture({}, true);
  const client = { client_id: host.publish('/client.json') };
  const { status, body } = await tokensOf(app, client, { scope: 'openid' });
  expect({ status, body }).toMatchObject({ status: 200, body: { scope: 'openid', token_type: 'Bearer' } });
  const { status: refreshed } = await postForm(app, '/token', client, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  expect(refreshed).toBe(200);
  expect(host.requests).toHaveLength(1);
  expect(host.requests[0]?.headers).toMatchObject({ accept: 'application/json' });
  expect(await stored(client.client_id)).toMatchObject({
    origin: 'metadata_document',
    metadata: { token_endpoint_auth_method: 'none', client_name: 'An app' },
  });
  expect(problems).toEqual([]);
});

it('requires PKCE of a public client', async () => {
  const { app, host } = await createDocumentFixture({}, true);
  const client_id = host.publish('/client.json');
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: 'https://app.example/cb',
    scope: 'openid',
  });
  const { location } = await openBrowser(app).go(`/authorize?${query}`);
  expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
});

it.each(['jwks', 'jwks_uri'])(
  'authenticates a client by the keys of %s in its document, at every endpoint',
  async (member) => {
    const { app, host, problems } = await createDocumentFixture({}, true);
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] };
    host.serve('/keys', { body: JSON.stringify(jwks) });
    const keys = member === 'jwks' ? { jwks } : { jwks_uri: host.url('/keys') };
    const client = {
      client_id: host.publish('/client.json', { token_endpoint_auth_method: 'private_key_jwt', ...keys }),
    };
    const proof = async () => ({
      client_assertion_type: JWT_BEARER_ASSERTION_TYPE,
      client_assertion: await new SignJWT({
        iss: client.client_id,
        sub: client.client_id,
        aud: ISSUER,
        jti: crypto.randomUUID(),
        exp: Math.floor(Date.now() / 1000) + 60,
      })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey),
    });
    const { challenge, verifier } = aVerifier();
    const form = {
      response_type: 'code',
      redirect_uri: 'https://app.example/cb',
      scope: 'openid',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    expect(await postForm(app, '/par', client, form)).toMatchObject({ status: 401 });
    const pushed = await postForm(app, '/par', client, { ...form, ...(await proof()) });
    expect(pushed.status).toBe(201);
    const { client_id } = client;
    const query = new URLSearchParams({ client_id, request_uri: pushed.body.request_uri });
    const landed = await logIn(openBrowser(app), `/authorize?${query}`);
    expect((await exchange(app, client, landed, verifier)).status).toBe(401);
    const tokens = await postForm(app, '/token', client, {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: 'https://app.example/cb',
      code_verifier: verifier,
      ...(await proof()),
    });
    expect(tokens.status).toBe(200);
    expect(host.requested('/client.json')).toHaveLength(1);
    expect(problems).toEqual([]);
  },
);

it('counts a login as a use of a client, and not a pushed request, which anyone may send', async () => {
  const { app, host, deps, stored } = await createDocumentFixture({}, true);
  const uses = vi.spyOn(deps.clientUses, 'record');
  const client = { client_id: host.publish('/client.json') };
  const form = authorizationParameters(client, aVerifier().challenge);
  expect((await postForm(app, '/par', client, form)).status).toBe(201);
  expect(uses).not.toHaveBeenCalled();
  expect(await stored(client.client_id)).toHaveProperty('expiresAt');
  await logIn(openBrowser(app), authorizationAddress(client, aVerifier().challenge));
  expect(uses).toHaveBeenCalledWith({ id: client.client_id });
  await expect.poll(() => stored(client.client_id)).not.toHaveProperty('expiresAt');
});

it('shows the host of the document at login and consent', async () => {
  const { app, host } = await createDocumentFixture({}, true);
  const client = { client_id: host.publish('/client.json', { client_name: 'Your bank' }) };
  const browser = openBrowser(app);
  const login = await browser.go(
    (await browser.go(authorizationAddress(client, aVerifier().challenge))).location ?? '',
  );
  expect(login.body).toContain(published(host.host));
  const consent = await consentOf(app, authorizationAddress(client, aVerifier().challenge));
  expect(consent).toContain(published(host.host));
  expect(consent).not.toContain('runs on your device');
});

/** The sentence about the host, which is shown whole. */
const published = (host: string) =>
  `This app is published by this website:<br><span class="code" dir="ltr">${host}</span>`;

it('warns before a response goes to a program on the device', async () => {
  const { app, host } = await createDocumentFixture({}, true);
  const redirect_uri = 'http://127.0.0.1/cb';
  const client_id = host.publish('/client.json', {
    application_type: 'native',
    redirect_uris: [redirect_uri],
  });
  const consent = await consentOf(
    app,
    authorizationAddress({ client_id }, aVerifier().challenge, { redirect_uri }),
  );
  expect(consent).toContain('This app runs on your device');
});

/** Logs in, and returns the page that asks for consent. */
async function consentOf(app: Parameters<typeof openBrowser>[0], address: string): Promise<string> {
  const browser = openBrowser(app);
  const { location = '' } = await browser.go(address);
  const form = { decision: 'login', username: 'alice', password: 'alice' };
  return (await browser.follow(await browser.go(location, form), ISSUER)).body;
}

it('is off by default: discovery does not list it, and nothing is fetched', async () => {
  const host = await startDocumentHost();
  const { CLIENT_ID_METADATA_DOCUMENTS: _on, ...settings } = documentSettings(host.host);
  const { app } = await buildTestApp(settings, false, true);
  const { status } = await openBrowser(app).go(
    authorizationAddress({ client_id: host.publish('/client.json') }, aVerifier().challenge),
  );
  expect(status).toBe(400);
  expect(host.requests).toEqual([]);
  expect((await app.inject(DISCOVERY)).json()).not.toHaveProperty('client_id_metadata_document_supported');
});

it('lists it in discovery when it is on', async () => {
  const { app } = await createDocumentFixture();
  expect((await app.inject(DISCOVERY)).json()).toMatchObject({ client_id_metadata_document_supported: true });
});

it('does not know clients of documents any longer when documents are switched off', async () => {
  const { app, host, store, clock, config, find } = await createDocumentFixture();
  const client_id = host.publish('/client.json');
  await find(client_id);
  const { composeAuthorization, buildApp } = await import('../../src/index.js');
  const off = buildApp(
    composeAuthorization({ ...config, CLIENT_ID_METADATA_DOCUMENTS: 'off' }, store, { clock }),
    { logger: false },
  );
  const address = authorizationAddress({ client_id }, aVerifier().challenge);
  expect((await openBrowser(app).go(address)).status).toBe(303);
  expect((await openBrowser(off).go(address)).status).toBe(400);
  await off.close();
});
