import { expect, it } from 'vitest';
import { TEST_CERTIFICATE } from '../testing/client-certificate.js';
import { tlsServerOptions } from './server-tls.js';

const OWN = { certificate: TEST_CERTIFICATE.cert, key: TEST_CERTIFICATE.key };

it('accepts every client certificate, but verifies only chains to the configured authorities, not to those of the system', () => {
  const requested = { requestCert: true, rejectUnauthorized: false };
  expect(tlsServerOptions(OWN)).toMatchObject({ ...requested, ca: [] });
  const clientAuthorities = TEST_CERTIFICATE.cert;
  expect(tlsServerOptions({ ...OWN, clientAuthorities })).toMatchObject({
    ...requested,
    ca: [clientAuthorities],
  });
});

it('refuses TLS versions before 1.2', () => {
  expect(tlsServerOptions(OWN).minVersion).toBe('TLSv1.2');
});
