import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { aClient, aClientId, anAccessToken, TEST_NOW } from './builders.js';
import { TEST_KEYS } from './key-fixtures.js';

it('builds objects at the frozen time, with the given deviations', () => {
  expect(TEST_NOW).toBe(nowSeconds(frozenClock()));
  const client = aClient({ id: aClientId('other'), metadata: { client_name: 'Other' } });
  expect(client).toEqual({
    ...aClient(),
    id: 'other',
    metadata: { ...aClient().metadata, client_name: 'Other' },
  });
  expect(anAccessToken({ scope: 'admin' })).toEqual({ ...anAccessToken(), scope: 'admin' });
  expect(() => aClientId(' with space')).toThrow(TypeError);
});

it('keeps the private part of a key out of its public one, and both match', () => {
  const message = Buffer.from('message');
  for (const { kid, publicJwk, privateJwk } of Object.values(TEST_KEYS)) {
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(publicJwk).not.toHaveProperty(secret);
    expect(publicJwk.kid).toBe(kid);
    const privateKey = createPrivateKey({ key: { ...privateJwk }, format: 'jwk' });
    const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
    const digest = privateJwk.kty === 'OKP' ? null : 'sha256';
    expect(verify(digest, message, publicKey, sign(digest, message, privateKey))).toBe(true);
  }
  const kids = Object.values(TEST_KEYS).map(({ kid }) => kid);
  expect(new Set(kids).size).toBe(kids.length);
});
