import { generateKeyPairSync } from 'node:crypto';
import { seenResponse } from '@vestibule/http/testing';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { API, aForwardAuth, bearer, ISSUER, NOW } from './support/forward-auth-fixture.js';

const aKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const anEdwardsKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('a signed token for the upstream', () => {
  const signing = (keys: string, settings = {}) =>
    aForwardAuth({ settings: { UPSTREAM_TOKEN_KEYS: keys, ...settings } });

  it.each([
    ['ES256', aKey],
    ['EdDSA', anEdwardsKey],
  ])('is verified with the published keys (%s)', async (alg, makeKey) => {
    const { app, check, issue } = await signing(makeKey() + aKey());
    const { headers } = await check('GET /orders', bearer(issue({ exp: NOW + 600 })));
    const [scheme, token = ''] = String(headers['authorization']).split(' ');
    const { status, body } = await seenResponse(app, { url: '/jwks' });
    expect([scheme, status]).toEqual(['Bearer', 200]);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(JSON.parse(body)), {
      issuer: ISSUER,
      audience: API,
      typ: 'at+jwt',
      currentDate: new Date(NOW * 1000),
    });
    expect(protectedHeader.alg).toBe(alg);
    expect(payload).toMatchObject({ sub: 'ada', client_id: 'app', scope: 'orders:read', exp: NOW + 60 });
    expect(headers['x-token-subject']).toBe('ada');
  });

  it('is verified after a key was added and after it became the first one', async () => {
    const [former, next] = [aKey(), anEdwardsKey()];
    const publishedBy = async (keys: string) => {
      const { app, check, issue } = await signing(keys);
      const { headers } = await check('GET /orders', bearer(issue()));
      const { body } = await seenResponse(app, { url: '/jwks' });
      return { token: String(headers['authorization']).split(' ')[1] ?? '', keys: JSON.parse(body) };
    };
    const [before, after] = [await publishedBy(former + next), await publishedBy(next + former)];
    for (const { token } of [before, after])
      for (const { keys } of [before, after])
        await jwtVerify(token, createLocalJWKSet(keys), { currentDate: new Date(NOW * 1000) });
  });

  it('is absent on public routes, where Authorization is emptied', async () => {
    const { check } = await signing(aKey());
    const { headers } = await check('GET /health', bearer('written-by-the-client'));
    expect(headers['authorization']).toBe('');
  });
});

it('publishes no keys, and leaves Authorization as it is, if no tokens are signed', async () => {
  const { app, check, issue } = await aForwardAuth();
  expect((await app.inject('/jwks')).statusCode).toBe(404);
  expect((await check('GET /orders', bearer(issue()))).headers).not.toHaveProperty('authorization');
});
