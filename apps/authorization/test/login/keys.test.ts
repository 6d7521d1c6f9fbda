import { retireSigningKey } from '@vestibule/crypto/signing-keys';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, exchange, logIn } from '../support/code-flow.js';
import { rotateSigningKey } from '../support/rotate-signing-key.js';

it('continues without a restart if the signing key changes between code and token, and still accepts signatures of the previous key', async () => {
  const { app, register, store } = await buildTestApp({}, false, true);
  const client = await register({ id_token_signed_response_alg: 'ES256' });
  const browser = openBrowser(app);
  const flow = async (parameters = {}) => {
    const { verifier, challenge } = aVerifier();
    const landed = await logIn(browser, authorizationAddress(client, challenge, parameters));
    return { finish: async () => (await exchange(app, client, landed, verifier)).body.id_token as string };
  };
  const before = await (await flow()).finish();
  const begun = await flow();

  const { kid, signing } = await rotateSigningKey(store);

  const after = await begun.finish();
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  expect(decodeProtectedHeader(before).kid).not.toBe(kid);
  const published = createLocalJWKSet((await app.inject('/jwks.json')).json());
  for (const token of [before, after]) await jwtVerify(token, published, { issuer: ISSUER });
  await (await flow({ id_token_hint: before, prompt: 'none' })).finish();

  const { kid: gone = '' } = decodeProtectedHeader(before);
  await retireSigningKey(signing, { keySet: 'provider', kid: gone, publishedSeconds: 0, atOnce: true });
  await store.providerKeys.refresh();
  const hinted = await browser.go(
    authorizationAddress(client, aVerifier().challenge, { id_token_hint: before, prompt: 'none' }),
  );
  expect(new URL(hinted.location ?? '').searchParams.get('error')).toBe('invalid_request');
});
