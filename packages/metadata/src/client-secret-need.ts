import { HMAC_ALGORITHMS, HMAC_MIN_SECRET_BYTES, type HmacAlgorithm } from '@vestibule/protocol';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import type { ClientMetadata } from './client-metadata.js';
import type { MemberName } from './metadata-schema.js';
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
  return Math.max(0, ...hmacMembers(metadata).map(({ minimumBytes }) => minimumBytes));
}

/** A member that registers an HMAC algorithm. */
export interface HmacMember {
  readonly member: MemberName;
  readonly algorithm: HmacAlgorithm;
  /** The fewest bytes of a secret for the algorithm (RFC 7518 section 3.2). */
  readonly minimumBytes: number;
}

/**
 * The members that register an HMAC algorithm. `token_endpoint_auth_method` is one where it is `client_secret_jwt` and
 * the algorithm is left open: the client has to be able to use the least one.
 */
export function hmacMembers(metadata: ClientMetadata): readonly HmacMember[] {
  const { token_endpoint_auth_signing_alg: assertionAlgorithm, token_endpoint_auth_method: method } =
    metadata;
  const registered: readonly (readonly [MemberName, unknown])[] = [
    ...ALGORITHM_USES.map((use) => ALGORITHM_MEMBERS[use].signing).map(
      (member) => [member, metadata[member]] as const,
    ),
    assertionAlgorithm === undefined && method === 'client_secret_jwt'
      ? ['token_endpoint_auth_method', 'HS256']
      : ['token_endpoint_auth_signing_alg', assertionAlgorithm],
  ];
  return registered.flatMap(([member, value]) =>
    HMAC_ALGORITHMS.filter((algorithm) => algorithm === value).map((algorithm) => ({
      member,
      algorithm,
      minimumBytes: HMAC_MIN_SECRET_BYTES[algorithm],
    })),
  );
}

/**
 * The members that cannot be performed with a digest of the client's secret alone: assertions, signatures and encryption
 * under the secret itself.
 */
export function clearSecretMembers(metadata: ClientMetadata): readonly MemberName[] {
  const isAsserted = metadata.token_endpoint_auth_method === 'client_secret_jwt';
  return [
    ...(isAsserted ? (['token_endpoint_auth_method'] as const) : []),
    ...symmetricAlgorithmMembers(metadata),
  ];
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
