import { type JoseHeader, verifyJwt } from '@vestibule/crypto/jwt';
import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import { PROFILE_RULES } from '../profile.js';
import { decodeStatement } from '../statements/decode-statement.js';
import { optionalTime, requireEntity, requireText, requireTime } from '../statements/statement-claims.js';
import { namedOrOnlyKey, orUntrusted } from '../statements/verify-statement.js';

/** The common part of trust marks and delegations; the signature is not verified yet. */
export interface UnverifiedMark {
  readonly token: string;
  readonly issuer: EntityId;
  readonly subject: EntityId;
  readonly type: string;
  readonly issuedAt: EpochSeconds;
  /** Absent if it does not expire. */
  readonly expiresAt: EpochSeconds | undefined;
  readonly claims: JsonObject;
}

const { algorithms } = PROFILE_RULES.final;

/**
 * Parses a trust mark or a delegation, distinguished by `typ`.
 * @throws FederationFailure if it is malformed.
 */
export function readMark(token: string, typ: string, allowHosts: readonly string[]): UnverifiedMark {
  const { header, claims } = decodeStatement(token);
  requireSignedHeader(header, typ);
  return {
    token,
    issuer: requireEntity(claims, 'iss', allowHosts),
    subject: requireEntity(claims, 'sub', allowHosts),
    type: requireText(claims, 'trust_mark_type'),
    issuedAt: requireTime(claims, 'iat'),
    expiresAt: optionalTime(claims, 'exp'),
    claims,
  };
}

/**
 * Checks the header of a JWT other than a statement that an entity signs with its federation keys.
 * @throws FederationFailure `wrong_type`, `algorithm` or `key_id`.
 */
export function requireSignedHeader({ typ: given, alg, kid }: JoseHeader, typ: string): void {
  if (given !== typ) throw new FederationFailure('wrong_type', `typ is not ${typ}`);
  if (!algorithms.some((algorithm) => algorithm === alg))
    throw new FederationFailure('algorithm', 'algorithm is not accepted');
  if (kid === undefined || kid === '') throw new FederationFailure('key_id', 'kid is missing');
}

/** @throws FederationFailure `key_id` or `signature` if such a JWT was not signed with one of these keys. */
export async function requireMarkSignature(
  { token }: Pick<UnverifiedMark, 'token'>,
  typ: string,
  jwks: PublicJwkSet,
): Promise<void> {
  const options = { algorithms, types: [typ], maxLength: token.length };
  await orUntrusted(() => verifyJwt(token, { ...options, keys: namedOrOnlyKey(jwks) }));
}
