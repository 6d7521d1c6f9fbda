import { activateSigningKey, addSigningKey, signingKeyOverlapSeconds } from '@vestibule/crypto/signing-keys';
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildTestApp, ISSUER, type TestApp } from '../support/build-test-app.js';
import { issued } from '../support/calls.js';

const MAX_AGE = /^public, max-age=(\d+)$/;
/** Processes reload the keys every half minute. */
const READ_EVERY_SECONDS = 30;
/** The interval at which verifiers start, and at which each verifies. */
const STEP_SECONDS = 10;
const ACCESS_TOKEN_SECONDS = 20;

// The verifying library uses the clock of the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('never fails a verifier that caches the key set for as long as allowed, whenever it was read, while keys rotate', async () => {
  const fixture = await buildTestApp({ SIGNING_ALGORITHMS: 'ES256', KEY_SET_MAX_AGE_SECONDS: '60' });
  const { register, store, clock, deps } = fixture;
  const { client_id: id } = await register();
  const signing = { store: store.database.signingKeys, encryptor: deps.encryptor, clock };
  const change = { keySet: 'provider', cachedSeconds: 60 } as const;
  const overlapSeconds = signingKeyOverlapSeconds(60);
  const verifiers: Awaited<ReturnType<typeof aVerifier>>[] = [];
  const signers = new Set<string | undefined>();
  let elapsed = 0;
  /**
   * Advances the time; the instance reloads its keys as late as it may, and verifiers start and verify at every step.
   */
  const pass = async (seconds: number) => {
    for (const end = elapsed + seconds; elapsed < end; elapsed += STEP_SECONDS) {
      vi.setSystemTime(clock.nowMs());
      if (elapsed % READ_EVERY_SECONDS === 0) await store.providerKeys.refresh();
      if (verifiers.length < 60 / STEP_SECONDS) verifiers.push(await aVerifier(fixture));
      const request = { client_id: id, scope: 'read', format: 'jwt', expires_in: ACCESS_TOKEN_SECONDS };
      const token = (await issued(fixture.app, request)).access_token;
      for (const verify of verifiers) signers.add((await verify(token)).protectedHeader.kid);
      clock.advanceSeconds(STEP_SECONDS);
    }
  };
  await pass(60);
  const [earlier] = store.providerKeys.publicJwks().keys;
  const { kid } = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await pass(overlapSeconds);
  await activateSigningKey(signing, { ...change, kid, publishedSeconds: overlapSeconds });
  await pass(overlapSeconds + 60);
  expect([...signers]).toEqual([earlier?.kid, kid]);
  expect((await fixture.app.inject('/jwks.json')).json().keys).toMatchObject([{ kid }]);
  // A key that signs without having been published before is the one that a copy lacks.
  const next = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
  await activateSigningKey(signing, { keySet: 'provider', kid: next.kid, publishedSeconds: 0, atOnce: true });
  await expect(pass(READ_EVERY_SECONDS + STEP_SECONDS)).rejects.toMatchObject({
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  });
});

/** Verifies tokens with a copy of the key set that it caches for exactly as long as the response allows. */
async function aVerifier({ app }: TestApp) {
  const { headers } = await app.inject('/jwks.json');
  const [, maxAge = ''] = MAX_AGE.exec(String(headers['cache-control'])) ?? [];
  const keptMs = Number(maxAge) * 1000;
  const keys = createRemoteJWKSet(new URL(`${ISSUER}/jwks.json`), {
    cacheMaxAge: keptMs,
    // An unknown key does not cause an earlier refresh.
    cooldownDuration: keptMs,
    [customFetch]: async () => new Response((await app.inject('/jwks.json')).body),
  });
  return (token: string) => jwtVerify(token, keys, { issuer: ISSUER });
}
