import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';

const SHOP = {
  preferred_client_id: 'shop',
  preferred_client_secret: 'a-secret-that-both-registrations-have-in-common',
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid email read',
};

/** A client that can be replaced by another one with the same identifier and secret. */
async function createFixture() {
  const here = await buildTestApp({}, false, true);
  const client = await here.register(SHOP);
  const replace = async () => {
    await here.store.database.clients.delete(client.client_id, Math.floor(Date.now() / 1000) as never);
    await here.register(SHOP);
  };
  const push = async () => {
    const { verifier, challenge } = aVerifier();
    const form = authorizationParameters(client, challenge);
    const { status, body } = await postForm(here.app, '/par', client, form);
    expect(status).toBe(201);
    const query = new URLSearchParams({ client_id: client.client_id, request_uri: body.request_uri });
    return { address: `/authorize?${query}`, verifier };
  };
  return { ...here, client, replace, push };
}

it('resolves no pushed request of a deleted client for a new one with the same identifier', async () => {
  const { app, replace, push, sql } = await createFixture();
  const [before, after] = [await push(), await push()];
  expect((await openBrowser(app).go(before.address)).location).toMatch(/^\/interaction\//);
  await replace();
  expect((await openBrowser(app).go(after.address)).location).toContain('error=invalid_request_uri');
  expect((await openBrowser(app).go((await push()).address)).location).toMatch(/^\/interaction\//);
  expect(await sql(`SELECT count(*)::int AS stored FROM artifact WHERE kind LIKE 'Pushed%'`)).toEqual([
    { stored: 1 },
  ]);
});

it('continues no login of a deleted client with a new one with the same identifier', async () => {
  const { app, client, replace } = await createFixture();
  const login = { decision: 'login', username: 'alice', password: 'alice' };
  const begin = async () => {
    const browser = openBrowser(app);
    const { location = '' } = await browser.go(authorizationAddress(client, aVerifier().challenge));
    return { browser, location };
  };
  const [atLogin, decided] = [await begin(), await begin()];
  const { location: next = '' } = await decided.browser.go(decided.location, login);
  await replace();
  for (const form of [undefined, login])
    expect(await atLogin.browser.go(atLogin.location, form)).toMatchObject({
      status: 400,
      location: undefined,
    });
  expect(await decided.browser.go(next)).toMatchObject({ status: 400, location: undefined });
});

it('accepts no codes, tokens and consents of a deleted client for a new one with the same identifier', async () => {
  const { app, client, replace } = await createFixture();
  const browser = openBrowser(app);
  const { body } = await tokensOf(app, client, {}, browser);
  const { verifier, challenge } = aVerifier();
  const silent = authorizationAddress(client, challenge, { prompt: 'none' });
  const landed = new URL((await browser.go(silent)).location ?? '');
  expect(landed.searchParams.get('code')).not.toBeNull();
  await replace();
  expect(await exchange(app, client, landed, verifier)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  expect(await postForm(app, '/token', client, refresh)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await app.inject({ url: '/userinfo', headers })).statusCode).toBe(401);
  expect((await browser.go(silent)).location).toContain('error=consent_required');
  expect(
    (await logIn(browser, authorizationAddress(client, challenge))).searchParams.get('code'),
  ).not.toBeNull();
});
