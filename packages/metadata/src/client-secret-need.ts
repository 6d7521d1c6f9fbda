import {
  HMAC_ALGORITHMS,
  HMAC_MIN_SECRET_BYTES,
  type HmacAlgorithm,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import type { ClientMetadata } from './client-metadata.js';
import type { MemberName } from './metadata-schema.js';
import { ALGORITHM_USES } from './supported-metadata.js';

/**
 * Whether a client with this metadata needs a secret: to authenticate, or to sign or encrypt messages to or from it
 * (OpenID Connect Core 1.0 sections 10.1 and 10.2).
 */
export function needsClientSecret(metadata: ClientMetadata): boolean {
  return (
    metadata.token_endpoint_auth_method.startsWith('client_secret_') ||
    symmetricAlgorithmMembers(metadata).length > 0
  );
}

/**
 * Minimum length of the client's secret in bytes, as its registered HMAC algorithms need it (RFC 7518 section 3.2); 0
 * if it registered none.
 */
export function minimumSecretLength(metadata: ClientMetadata): number {
  return Math.max(0, ...hmacMembers(metadata).map(({ minimumBytes }) => minimumBytes));
}

/** A member that registers an HMAC algorithm. */
export interface HmacMember {
  readonly member: MemberName;
  readonly algorithm: HmacAlgorithm;
  /** Minimum length of a secret for the algorithm, in bytes (RFC 7518 section 3.2). */
  readonly minimumBytes: number;
}

/**
 * Returns the members that register an HMAC algorithm, including `token_endpoint_auth_method` if it is
 * `client_secret_jwt` and the algorithm is open: the client must then be able to use the weakest one.
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
 * Returns the members that need the secret itself rather than a digest: assertions, signatures and encryption under the
 * secret.
 */
export function clearSecretMembers(metadata: ClientMetadata): readonly MemberName[] {
  const isAsserted = metadata.token_endpoint_auth_method === 'client_secret_jwt';
  return [
    ...(isAsserted ? (['token_endpoint_auth_method'] as const) : []),
    ...symmetricAlgorithmMembers(metadata),
  ];
}

/**
 * Length of a generated secret in bytes, enough for every HMAC algorithm that the client may use. More than the minimum
 * if it registered `client_secret_jwt` and left the algorithm open.
 */
export function ampleSecretLength(metadata: ClientMetadata): number {
  const isOpen =
    metadata.token_endpoint_auth_method === 'client_secret_jwt' &&
    metadata.token_endpoint_auth_signing_alg === undefined;
  return isOpen ? Math.max(...Object.values(HMAC_MIN_SECRET_BYTES)) : minimumSecretLength(metadata);
}

const SYMMETRIC_ALGORITHMS: readonly unknown[] = [...HMAC_ALGORITHMS, ...SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS];

/**
 * Returns the members that sign or encrypt messages to or from a client under its secret (OpenID Connect Core 1.0
 * sections 10.1 and 10.2), in the order of the kinds of messages, without client assertions.
 */
export function symmetricAlgorithmMembers(
  members: Readonly<Partial<Record<MemberName, unknown>>>,
): readonly MemberName[] {
  return ALGORITHM_USES.flatMap((use) => {
    const { signing, encryption } = ALGORITHM_MEMBERS[use];
    return [signing, encryption].filter((name) => SYMMETRIC_ALGORITHMS.includes(members[name]));
  });
}
