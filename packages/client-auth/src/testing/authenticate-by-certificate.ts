import type { JsonObject } from '@vestibule/protocol/json';
import { authenticateClient } from '../authenticate-client.js';
import { type ClientCertificate, parseClientCertificate } from '../certificates/client-certificate.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { AssertionFixture } from './assertion-fixture.js';
import { aCertificate, type TestCertificate } from './client-certificates.js';

/** A certificate as a handshake returns it. */
export function aClientCertificate(
  options: TestCertificate = {},
  handshake = { isChainVerified: true },
): ClientCertificate {
  return readCertificate(aCertificate(options), handshake);
}

/** Parses a certificate from its DER encoding. */
export function readCertificate(der: Buffer, handshake = { isChainVerified: true }): ClientCertificate {
  const certificate = parseClientCertificate(der, handshake);
  if (certificate === undefined) throw new Error('not a certificate');
  return certificate;
}

/** Registers the test client with a certificate method. */
export function registerCertificateClient(
  fixture: Pick<AssertionFixture, 'register'>,
  token_endpoint_auth_method: 'tls_client_auth' | 'self_signed_tls_client_auth',
  metadata: JsonObject,
) {
  return fixture.register({}, { token_endpoint_auth_method, ...metadata });
}

/** Authenticates with a certificate and the client's identifier. */
export function authenticateByCertificate(
  deps: ClientAuthDeps,
  certificate: ClientCertificate,
  client_id: string | undefined = 'rs1',
) {
  return authenticateClient(deps, { form: { client_id }, certificate });
}
