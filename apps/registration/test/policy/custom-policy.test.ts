import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RegistrationPolicy } from '@vestibule/clients/policy';
import { sha256 } from '@vestibule/crypto';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp, composeRegistration, loadRegistrationConfig } from '../../src/index.js';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { badRequest, FAULT, information, pathOf, registered, send } from '../support/calls.js';
import { companyPolicy } from '../support/company-policy.js';

const REDIRECT_URIS = { redirect_uris: ['https://app.example/cb'] };
const TERMS = { tos_uri: 'https://company.example/terms' };
const NO_TEAM = badRequest('invalid_client_metadata', 'data: must name a team');

/** The service, composed with a custom policy. */
async function composedWith(policy: RegistrationPolicy) {
  const parts = await buildTestApp();
  const config = loadRegistrationConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: parts.databaseUrl,
    ENCRYPTION_KEYS: parts.keys,
    MASTER_TOKEN_SHA256: Buffer.from(sha256(MASTER)).toString('hex'),
  });
  const compose = (settings = {}) =>
    composeRegistration({ ...config, ...settings }, parts.store, { clock: parts.clock, policy });
  const app = buildApp(compose(), { logger: false });
  onTestFinished(() => app.close());
  return { ...parts, app, compose };
}

it('composes a custom policy into the service as in the README', async () => {
  const { app, initialToken, usesLeft } = await composedWith(companyPolicy);
  const token = await initialToken('client-reg');
  expect(await send(app, 'POST /clients', { token, body: REDIRECT_URIS })).toEqual(NO_TEAM);
  expect(await send(app, 'POST /clients?dry_run=true', { token, body: REDIRECT_URIS })).toEqual(NO_TEAM);
  expect(await usesLeft(token)).toBe(1);
  const body = { ...REDIRECT_URIS, data: { team: 'web' } };
  const client = await registered(app, body, token);
  expect(client).toMatchObject(TERMS);
  const target = `PUT ${pathOf(client.client_id)}`;
  const own = { token: client.registration_access_token };
  expect(
    await send(app, target, { ...own, body: { ...REDIRECT_URIS, client_id: client.client_id } }),
  ).toEqual(NO_TEAM);
  const changed = { ...body, client_id: client.client_id, tos_uri: 'https://else.example/' };
  expect(information(await send(app, target, { ...own, body: changed }))).toMatchObject(TERMS);
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(await readFile(new URL('../support/company-policy.ts', import.meta.url), 'utf8'));
});

it('responds with an internal error if the policy throws: nothing is registered, nothing is consumed', async () => {
  const { app, initialToken, usesLeft, all } = await composedWith({
    evaluate: () => Promise.reject(new Error('the directory is away')),
  });
  const token = await initialToken('client-reg');
  for (const target of ['POST /clients', 'POST /clients?dry_run=true'])
    expect(await send(app, target, { token, body: REDIRECT_URIS })).toEqual(FAULT);
  expect(await usesLeft(token)).toBe(1);
  expect(await all()).toEqual([]);
});

it('responds with an internal error if the policy does not decide within 5 seconds: nothing is registered, nothing is consumed', async () => {
  const { app, initialToken, usesLeft, all } = await composedWith({ evaluate: () => new Promise(() => {}) });
  const token = await initialToken('client-reg');
  const targets = ['POST /clients', 'POST /clients?dry_run=true'];
  const responses = await Promise.all(
    targets.map((target) => send(app, target, { token, body: REDIRECT_URIS })),
  );
  expect(responses).toEqual([FAULT, FAULT]);
  expect(await usesLeft(token)).toBe(1);
  expect(await all()).toEqual([]);
});

it('starts with at most one policy', async () => {
  const { compose } = await composedWith(companyPolicy);
  const { REGISTRATION_POLICY: declared } = loadRegistrationConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: 'postgres://localhost/none',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    ALLOW_OPEN_REGISTRATION: 'true',
    REGISTRATION_POLICY: '{"any":{}}',
  });
  expect(() => compose({ REGISTRATION_POLICY: declared })).toThrow(TypeError);
});
