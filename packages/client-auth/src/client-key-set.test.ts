import { describe, expect, it } from 'vitest';
import { clientKeySet, clientVerificationKeys } from './client-key-set.js';
import { assertionFixture, JWKS_URI } from './testing/assertion-fixture.js';

const always = () => true;

describe('clientKeySet', () => {
  it('parses the keys of a cached client once, and those of a changed client again', async () => {
    const fixture = await assertionFixture();
    const client = fixture.registerKeys();
    const keySet = await clientKeySet({}, client, always);
    expect(keySet?.keys).toEqual([fixture.pair.jwk]);
    expect(await clientKeySet({}, client, always)).toBe(keySet);
    const [key] = await clientVerificationKeys({}, client)({ alg: 'ES256', kid: 'k1' });
    const [same] = await clientVerificationKeys({}, client)({ alg: 'ES256', kid: 'k1' });
    expect(same?.key).toBe(key?.key);
    const changed = await clientKeySet({}, fixture.registerKeys({ jwks: { keys: [] } }), always);
    expect(changed?.keys).toEqual([]);
  });

  it('returns no keys if the client has none, they cannot be used, or the address is unreachable', async () => {
    const fixture = await assertionFixture();
    const without = [
      fixture.register(),
      fixture.registerKeys({ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }),
      fixture.register({}, { jwks_uri: JWKS_URI }),
    ];
    for (const client of without) {
      expect(await clientKeySet({}, client, always)).toBeUndefined();
      expect(await clientVerificationKeys({}, client)({ alg: 'ES256', kid: undefined })).toEqual([]);
    }
  });
});
