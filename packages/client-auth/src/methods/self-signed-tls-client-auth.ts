import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { JsonObject } from '@vestibule/protocol/json';
import type { CertificateMethod } from '../certificates/certificate-method.js';
import type { ClientCertificate } from '../certificates/client-certificate.js';
import { clientKeySet } from '../client-key-set.js';

/**
 * `self_signed_tls_client_auth`: a certificate in the client's key set, the first one in the `x5c` of a key (RFC 8705
 * section 2.2), regardless of its issuer.
 */
export const selfSignedTlsClientAuth: CertificateMethod = {
  name: 'self_signed_tls_client_auth',
  whyForeign: async (deps, client, certificate) => {
    const keySet = await clientKeySet(deps, client, (held) => holds(held, certificate));
    if (keySet === undefined) return 'the key set of the client is not available';
    return holds(keySet, certificate) ? undefined : 'the certificate is not in the key set of the client';
  },
};

function holds({ keys }: PublicJwkSet, { der }: ClientCertificate): boolean {
  return keys.some((jwk) => certificateOf(jwk)?.equals(der) === true);
}

function certificateOf({ x5c }: JsonObject): Buffer | undefined {
  const first: unknown = Array.isArray(x5c) ? x5c[0] : undefined;
  return typeof first === 'string' ? Buffer.from(first, 'base64') : undefined;
}
