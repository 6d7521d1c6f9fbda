import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { aKeyPair, assertionFixture, JWKS_URI } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';

describe('private_key_jwt', () => {
  it('accepts the registered algorithm, or any asymmetric algorithm if none is registered', async () => {
    const world = await assertionFixture();
    for (const algorithm of ASYMMETRIC_ALGORITHMS) {
      const { jwk, key } = aKeyPair('k1', algorithm);
      for (const registered of [undefined, algorithm]) {
        const limit = registered === undefined ? {} : { token_endpoint_auth_signing_alg: registered };
        world.registerKeys({ jwks: { keys: [jwk] }, ...limit });
        expect((await authenticate(world, await world.assertion({}, key))).method).toBe('private_key_jwt');
      }
      const other = algorithm === 'ES384' ? 'ES256' : 'ES384';
      world.registerKeys({ jwks: { keys: [jwk] }, token_endpoint_auth_signing_alg: other });
      await expectRefused(world, await world.assertion({}, key), algorithm);
    }
  });
});

describe('the keys of private_key_jwt', () => {
  it('may be at a URL, and change when the served document changes', async () => {
    const world = await assertionFixture();
    world.register({}, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: JWKS_URI });
    await authenticate(world, await world.assertion());
    const next = aKeyPair('k2');
    world.served.jwks = { keys: [next.jwk] };
    await expectRefused(world, await world.assertion({}, next.key), 'within the interval');
    world.clock.advanceSeconds(30);
    await authenticate(world, await world.assertion({ exp: world.now + 60 }, next.key));
    expect(world.fetched).toEqual([JWKS_URI, JWKS_URI]);
  });

  it('do not exist while the URL is unreachable or does not serve a public key set', async () => {
    const world = await assertionFixture();
    world.register({}, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: JWKS_URI });
    const privateJwk = world.pair.privateKey.export({ format: 'jwk' });
    for (const jwks of [
      undefined,
      [],
      { keys: [] },
      { keys: [{ ...privateJwk, kid: 'k1' }] },
      { keys: [{ kty: 'oct', k: 'AAAA' }] },
    ]) {
      world.served.jwks = jwks;
      await expectRefused(world, await world.assertion({ exp: undefined }), 'no keys');
      const exp = Math.floor(world.clock.nowMs() / 1000) + 60;
      await expectRefused(world, await world.assertion({ exp }), JSON.stringify(jwks) ?? 'unreachable');
      world.clock.advanceSeconds(30);
    }
    const { remoteKeySets: _, ...without } = world.deps;
    await expect(authenticate({ ...world, deps: without }, await world.assertion())).rejects.toMatchObject(
      REFUSED,
    );
  });

  it('do not exist if none are registered, or none of them can be used', async () => {
    const world = await assertionFixture();
    for (const metadata of [
      { jwks: undefined },
      { jwks: { keys: [] } },
      { jwks: { keys: [{ ...world.pair.jwk, use: 'enc' }] } },
    ]) {
      world.register({}, { token_endpoint_auth_method: 'private_key_jwt', ...metadata });
      await expectRefused(world, await world.assertion(), JSON.stringify(metadata));
    }
  });
});
