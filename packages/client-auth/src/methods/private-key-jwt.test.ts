import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { aKeyPair, assertionFixture, JWKS_URI } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';

describe('private_key_jwt', () => {
  it('accepts the registered algorithm, or any asymmetric algorithm if none is registered', async () => {
    const fixture = await assertionFixture();
    for (const algorithm of ASYMMETRIC_ALGORITHMS) {
      const { jwk, key } = aKeyPair('k1', algorithm);
      for (const registered of [undefined, algorithm]) {
        const limit = registered === undefined ? {} : { token_endpoint_auth_signing_alg: registered };
        fixture.registerKeys({ jwks: { keys: [jwk] }, ...limit });
        expect((await authenticate(fixture, await fixture.assertion({}, key))).method).toBe(
          'private_key_jwt',
        );
      }
      const other = algorithm === 'ES384' ? 'ES256' : 'ES384';
      fixture.registerKeys({ jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: other });
      await expectRefused(fixture, await fixture.assertion({}, key), algorithm);
    }
  });
});

describe('the keys of private_key_jwt', () => {
  it('may be at a URL, and change when the served document changes', async () => {
    const fixture = await assertionFixture();
    fixture.register({}, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: JWKS_URI });
    await authenticate(fixture, await fixture.assertion());
    const next = aKeyPair('k2');
    fixture.served.jwks = { keys: [next.jwk] };
    await expectRefused(fixture, await fixture.assertion({}, next.key), 'within the interval');
    fixture.clock.advanceSeconds(30);
    await authenticate(fixture, await fixture.assertion({ exp: fixture.now + 60 }, next.key));
    expect(fixture.fetched).toEqual([JWKS_URI, JWKS_URI]);
  });

  it('do not exist while the URL is unreachable or does not serve a public key set', async () => {
    const fixture = await assertionFixture();
    fixture.register({}, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: JWKS_URI });
    const privateJwk = fixture.pair.privateKey.export({ format: 'jwk' });
    for (const jwks of [
      undefined,
      [],
      { keys: [] },
      { keys: [{ ...privateJwk, kid: 'k1' }] },
      { keys: [{ kty: 'oct', k: 'AAAA' }] },
    ]) {
      fixture.served.jwks = jwks;
      await expectRefused(fixture, await fixture.assertion({ exp: undefined }), 'no keys');
      const exp = Math.floor(fixture.clock.nowMs() / 1000) + 60;
      await expectRefused(fixture, await fixture.assertion({ exp }), JSON.stringify(jwks) ?? 'unreachable');
      fixture.clock.advanceSeconds(30);
    }
    const { remoteKeySets: _, ...without } = fixture.deps;
    await expect(
      authenticate({ ...fixture, deps: without }, await fixture.assertion()),
    ).rejects.toMatchObject(REFUSED);
  });

  it('do not exist if none are registered, or none of them can be used', async () => {
    const fixture = await assertionFixture();
    for (const metadata of [
      { jwks: undefined },
      { jwks: { keys: [] } },
      { jwks: { keys: [{ ...fixture.pair.jwk, use: 'enc' }] } },
    ]) {
      fixture.register({}, { token_endpoint_auth_method: 'private_key_jwt', ...metadata });
      await expectRefused(fixture, await fixture.assertion(), JSON.stringify(metadata));
    }
  });
});
