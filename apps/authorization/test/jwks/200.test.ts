import { activateSigningKey, addSigningKey } from '@vestibule/crypto/signing-keys';
import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { issued, send } from '../support/calls.js';
import { verified } from '../support/key-set.js';

const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  OKP: ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
  RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
};

it('publishes one key for each algorithm, with only its public members', async () => {
  const { app } = await buildTestApp({ SIGNING_ALGORITHMS: 'ES256,RS256,EdDSA' });
  const { status, headers, body } = await send(app, 'GET /jwks.json');
  expect({ status, headers }).toEqual({
    status: 200,
    headers: {
      'cache-control': 'public, max-age=300',
      'content-type': 'application/jwk-set+json',
      'access-control-allow-origin': '*',
    },
  });
  const set: { keys: Readonly<Record<string, string>>[] } = JSON.parse(body);
  expect(Object.keys(set)).toEqual(['keys']);
  expect(set.keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'EdDSA', 'RS256']);
  for (const key of set.keys) {
    expect(Object.keys(key).sort()).toEqual(PUBLIC_MEMBERS[key['kty'] ?? '']);
    expect(key['use']).toBe('sig');
  }
  expect(new Set(set.keys.map(({ kid }) => kid)).size).toBe(3);
});

it('publishes a new key before anything is signed with it, and an old one for as long as it is needed', async () => {
  const { app, register, store, deps, sql } = await buildTestApp({ SIGNING_ALGORITHMS: 'ES256' });
  const { client_id: id } = await register();
  const before = (await issued(app, { client_id: id, scope: 'read', format: 'jwt' })).access_token;
  const rotation = { store: store.database.signingKeys, encryptor: deps.encryptor, clock: store.clock };
  const { kid } = await addSigningKey(rotation, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await store.providerKeys.refresh();
  const kids = async () =>
    (await app.inject('/jwks.json')).json().keys.map((key: { kid: string }) => key.kid);
  expect(await kids()).toContain(kid);
  await activateSigningKey(rotation, { keySet: 'provider', kid, publishedSeconds: 600, atOnce: true });
  await store.providerKeys.refresh();
  const after = (await issued(app, { client_id: id, scope: 'read', format: 'jwt' })).access_token;
  expect((await verified(app, after)).protectedHeader.kid).toBe(kid);
  expect((await verified(app, before)).protectedHeader.kid).not.toBe(kid);
  expect(await kids()).toHaveLength(2);
  // The time of the database decides.
  await sql(`UPDATE signing_key SET expires_at = now() WHERE state = 'retired'`);
  await store.providerKeys.refresh();
  expect(await kids()).toEqual([kid]);
});
