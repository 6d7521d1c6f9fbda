import type { JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { aKeyPair, assertionFixture, JWKS_URI } from '../testing/assertion-fixture.js';
import { REFUSED } from '../testing/authenticate-by-assertion.js';
import {
  authenticateByCertificate,
  readCertificate,
  registerCertificateClient,
} from '../testing/authenticate-by-certificate.js';
import { aCertificate } from '../testing/client-certificates.js';

const METHOD = 'self_signed_tls_client_auth';
const der = aCertificate();
const certificate = readCertificate(der, { isChainVerified: false });
const base64 = der.toString('base64');
const { jwk } = aKeyPair();

describe('self_signed_tls_client_auth (RFC 8705 section 2.2)', () => {
  it('authenticates a client by a certificate in its key set, whoever signed it', async () => {
    const world = await assertionFixture();
    for (const keys of [
      [{ ...jwk, x5c: [base64] }],
      [
        { kty: 'AKP', x5c: [] },
        { ...jwk, x5c: [base64, 'MII'] },
      ],
    ]) {
      const client = registerCertificateClient(world, METHOD, { jwks: { keys } });
      expect(await authenticateByCertificate(world.deps, certificate)).toEqual({ client, method: METHOD });
    }
  });

  it('refuses every other certificate, even one with the same names', async () => {
    const world = await assertionFixture();
    const other = aCertificate().toString('base64');
    const bad: JsonValue[] = [
      [],
      [jwk],
      [{ ...jwk, x5c: [other] }],
      [{ ...jwk, x5c: [other, base64] }],
      [{ ...jwk, x5c: base64 }],
      [{ ...jwk, x5c: [] }],
      [{ ...jwk, x5c: [''] }],
      [{ ...jwk, x5c: [base64.slice(0, 100)] }],
      [{ ...jwk, x5c: [7] }],
      [{ ...jwk, x5t: base64 }],
    ];
    for (const keys of bad) {
      registerCertificateClient(world, METHOD, { jwks: { keys } });
      const attempt = authenticateByCertificate(world.deps, certificate);
      await expect(attempt, JSON.stringify(keys)).rejects.toMatchObject(REFUSED);
    }
    world.register({}, { token_endpoint_auth_method: METHOD });
    await expect(authenticateByCertificate(world.deps, certificate)).rejects.toMatchObject(REFUSED);
  });

  it('fetches a key set at a URL again for a new certificate, at most once in 30 seconds', async () => {
    const world = await assertionFixture();
    registerCertificateClient(world, METHOD, { jwks_uri: JWKS_URI });
    const attempt = () => authenticateByCertificate(world.deps, certificate);
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    world.served.jwks = { keys: [{ ...jwk, x5c: [base64] }] };
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    world.clock.advanceSeconds(30);
    await attempt();
    await attempt();
    expect(world.fetched).toEqual([JWKS_URI, JWKS_URI]);
  });

  it('refuses the certificate if the key set is unavailable, and after its expiry', async () => {
    const world = await assertionFixture();
    registerCertificateClient(world, METHOD, { jwks_uri: JWKS_URI });
    world.served.jwks = undefined;
    await expect(authenticateByCertificate(world.deps, certificate)).rejects.toMatchObject(REFUSED);
    registerCertificateClient(world, METHOD, { jwks: { keys: [{ ...jwk, x5c: [base64] }] } });
    await authenticateByCertificate(world.deps, certificate);
    world.clock.advanceSeconds(30 * 366 * 86_400);
    await expect(authenticateByCertificate(world.deps, certificate)).rejects.toMatchObject(REFUSED);
  });
});
