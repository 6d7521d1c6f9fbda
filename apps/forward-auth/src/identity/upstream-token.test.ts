import { generateKeyPairSync } from 'node:crypto';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import type { AccessToken } from '@vestibule/resource-server';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { upstreamTokenSigner } from './upstream-token.js';

const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

function aToken(claims: JsonObject = {}, expiresAt = NOW + 600): AccessToken {
  return {
    claims,
    subject: 'ada',
    clientId: 'app',
    scope: ['a'],
    audience: [],
    expiresAt: expiresAt as EpochSeconds,
    notBefore: undefined,
    confirmation: {},
  };
}

function aSigner(lifetimeSeconds = 60) {
  const clock = frozenClock();
  const { privateKey } = generateKeyPairSync('ed25519');
  const sign = upstreamTokenSigner({
    key: { algorithm: 'EdDSA', key: privateKey, kid: 'k' },
    issuer: 'https://as.example',
    audience: 'https://api.example',
    lifetimeSeconds,
    clock,
  });
  return { sign, clock };
}

describe('a signed token for the upstream', () => {
  it('has the claims of RFC 9068 and what the access token tells about end-user and authorization', async () => {
    const claims = {
      active: true,
      scope: 'a',
      username: 'Ada',
      acr: 'gold',
      auth_time: NOW - 5,
      act: { sub: 'agent' },
      cnf: { jkt: 'x' },
      aud: ['other'],
      jti: 'of the access token',
      email: 'ada@example.org',
    };
    const { jti, ...rest } = decodeJwt(await aSigner().sign(aToken(claims)));
    expect(rest).toEqual({
      scope: 'a',
      username: 'Ada',
      acr: 'gold',
      auth_time: NOW - 5,
      act: { sub: 'agent' },
      iss: 'https://as.example',
      aud: 'https://api.example',
      sub: 'ada',
      client_id: 'app',
      iat: NOW,
      exp: NOW + 60,
    });
    expect(jti).toMatch(/^\w{22}$/);
  });

  it('never outlives the access token', async () => {
    const { sign } = aSigner();
    expect(decodeJwt(await sign(aToken({}, NOW + 20))).exp).toBe(NOW + 20);
    const endless = { ...aToken(), expiresAt: undefined };
    expect(decodeJwt(await sign(endless)).exp).toBe(NOW + 60);
  });

  it('names the client as the subject if there is no other one', async () => {
    const { sign } = aSigner();
    expect(decodeJwt(await sign({ ...aToken(), subject: undefined })).sub).toBe('app');
  });

  it('is signed again after a signature that failed', async () => {
    const { sign } = aSigner();
    const claims: JsonObject = { roles: [] };
    const token = aToken(claims);
    const cyclic = claims as { roles: unknown[] };
    cyclic.roles.push(cyclic.roles);
    await expect(sign(token)).rejects.toThrow();
    cyclic.roles.pop();
    expect(decodeJwt(await sign(token)).sub).toBe('ada');
  });

  it('is used for half of its lifetime, by every request with the same cached token', async () => {
    const { sign, clock } = aSigner(60);
    const token = aToken();
    const [first, parallel] = await Promise.all([sign(token), sign(token)]);
    expect(parallel).toBe(first);
    clock.advanceSeconds(29);
    expect(await sign(token)).toBe(first);
    clock.advanceSeconds(1);
    const second = await sign(token);
    expect(decodeJwt(second).iat).toBe(NOW + 30);
    expect(await sign(aToken())).not.toBe(second);
  });
});
