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
  it('authenticates a client by a certificate in its key set, regardless of its issuer', async () => {
    const fixture = await assertionFixture();
    for (const keys of [
      [{ ...jwk, x5c: [base64] }],
      [
        { kty: 'AKP', x5c: [] },
        { ...jwk, x5c: [base64, 'MII'] },
      ],
    ]) {
      const client = registerCertificateClient(fixture, METHOD, { jwks: { keys } });
      expect(await authenticateByCertificate(fixture.deps, certificate)).toEqual({ client, method: METHOD });
    }
  });

  it('refuses every other certificate, even one with the same names', async () => {
    const fixture = await assertionFixture();
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
      registerCertificateClient(fixture, METHOD, { jwks: { keys } });
      const attempt = authenticateByCertificate(fixture.deps, certificate);
      await expect(attempt, JSON.stringify(keys)).rejects.toMatchObject(REFUSED);
    }
    fixture.register({}, { token_endpoint_auth_method: METHOD });
    await expect(authenticateByCertificate(fixture.deps, certificate)).rejects.toMatchObject(REFUSED);
  });

  it('fetches a key set at a URL again for a new certificate, at most once in 30 seconds', async () => {
    const fixture = await assertionFixture();
    registerCertificateClient(fixture, METHOD, { jwks_uri: JWKS_URI });
    const attempt = () => authenticateByCertificate(fixture.deps, certificate);
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    fixture.served.jwks = { keys: [{ ...jwk, x5c: [base64] }] };
    await expect(attempt()).rejects.toMatchObject(REFUSED);
    fixture.clock.advanceSeconds(30);
    await attempt();
    await attempt();
    expect(fixture.fetched).toEqual([JWKS_URI, JWKS_URI]);
  });

  it('refuses the certificate if the key set is unavailable, and after its expiry', async () => {
    const fixture = await assertionFixture();
    registerCertificateClient(fixture, METHOD, { jwks_uri: JWKS_URI });
    fixture.served.jwks = undefined;
    await expect(authenticateByCertificate(fixture.deps, certificate)).rejects.toMatchObject(REFUSED);
    registerCertificateClient(fixture, METHOD, { jwks: { keys: [{ ...jwk, x5c: [base64] }] } });
    await authenticateByCertificate(fixture.deps, certificate);
    fixture.clock.advanceSeconds(30 * 366 * 86_400);
    await expect(authenticateByCertificate(fixture.deps, certificate)).rejects.toMatchObject(REFUSED);
  });
});
