import { HMAC_ALGORITHMS, HMAC_MIN_SECRET_BYTES, type HmacAlgorithm } from '@vestibule/protocol';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import type { ClientMetadata } from './client-metadata.js';
import { ALGORITHM_USES } from './supported-metadata.js';
import { symmetricAlgorithmMembers } from './symmetric-algorithms.js';

/**
 * Whether a client of this metadata has a secret: it authenticates with one, or messages to or from it are signed or
 * encrypted with one (OpenID Connect Core 1.0 sections 10.1 and 10.2).
 */
export function needsClientSecret(metadata: ClientMetadata): boolean {
  return (
    metadata.token_endpoint_auth_method.startsWith('client_secret_') ||
    symmetricAlgorithmMembers(metadata).length > 0
  );
}

/**
 * The fewest bytes that the client's secret may have: what the HMAC algorithms it registered need (RFC 7518
 * section 3.2); 0 when it registered none.
 */
export function minimumSecretLength(metadata: ClientMetadata): number {
  return Math.max(0, ...hmacAlgorithms(metadata).map((algorithm) => HMAC_MIN_SECRET_BYTES[algorithm]));
}

/**
 * The fewest bytes of a secret that is generated for the client: enough for every HMAC algorithm that it may use.
 * More than the minimum where it registered `client_secret_jwt` and left the algorithm open.
 */
export function ampleSecretLength(metadata: ClientMetadata): number {
  const isOpen =
    metadata.token_endpoint_auth_method === 'client_secret_jwt' &&
    metadata.token_endpoint_auth_signing_alg === undefined;
  return isOpen ? Math.max(...Object.values(HMAC_MIN_SECRET_BYTES)) : minimumSecretLength(metadata);
}

function hmacAlgorithms(metadata: ClientMetadata): readonly HmacAlgorithm[] {
  const registered = [
    ...ALGORITHM_USES.map((use) => metadata[ALGORITHM_MEMBERS[use].signing]),
    metadata.token_endpoint_auth_signing_alg ?? leastAssertionAlgorithm(metadata),
  ];
  return HMAC_ALGORITHMS.filter((algorithm) => registered.includes(algorithm));
}

// A client that may choose among the HMAC algorithms has to be able to use one.
function leastAssertionAlgorithm(metadata: ClientMetadata): HmacAlgorithm | undefined {
  return metadata.token_endpoint_auth_method === 'client_secret_jwt' ? 'HS256' : undefined;
}
