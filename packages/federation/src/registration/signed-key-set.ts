import type { EpochSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { TrustedChain } from '../chains/validate-chain.js';
import { FederationFailure } from '../federation-failure.js';
import { decodeStatement } from '../statements/decode-statement.js';
import { claimOf, optionalTime, requireEntity } from '../statements/statement-claims.js';
import { requireAlive } from '../statements/verify-statement.js';
import { requireMarkSignature, requireSignedHeader } from '../trust-marks/signed-mark.js';

/** The keys of an entity, as published in a signed key set. */
export interface SignedKeySet {
  /** The content of `keys`, which the rules for every client check. */
  readonly jwks: JsonObject;
  /** Absent if the key set does not expire. */
  readonly expiresAt: EpochSeconds | undefined;
}

/**
 * Verifies the signed key set of the subject of a chain: signed by the subject, with its federation keys.
 * @throws FederationFailure if it is untrusted.
 * @see OpenID Federation 1.0 section 5.2.1.1
 */
export async function verifySignedKeySet(
  token: string,
  { subject: { subject }, keys }: Pick<TrustedChain, 'subject' | 'keys'>,
  { now, allowHosts }: { readonly now: EpochSeconds; readonly allowHosts: readonly string[] },
): Promise<SignedKeySet> {
  const { header, claims } = decodeStatement(token);
  requireSignedHeader(header, JWT_TYP.jwkSet);
  if (
    [requireEntity(claims, 'iss', allowHosts), requireEntity(claims, 'sub', allowHosts)].some(
      (id) => id !== subject,
    )
  )
    throw new FederationFailure(
      'unexpected_statement',
      'iss and sub of the signed key set must be the entity',
    );
  const expiresAt = optionalTime(claims, 'exp');
  requireAlive({ issuedAt: optionalTime(claims, 'iat') ?? now, expiresAt }, now);
  const ofSubject = keys.get(subject);
  if (ofSubject === undefined) throw new FederationFailure('key_id', 'the chain holds no keys of the entity');
  await requireMarkSignature({ token }, JWT_TYP.jwkSet, ofSubject);
  const listed = claimOf(claims, 'keys');
  return { jwks: listed === undefined ? {} : { keys: listed }, expiresAt };
}
