import type { JoseHeader } from '@vestibule/crypto/jwt';
import { FederationFailure } from '../federation-failure.js';
import { PROFILE_RULES, type Profile } from '../profile.js';

/**
 * Checks the header of a statement: type, algorithm and key identifier.
 * @throws FederationFailure `wrong_type`, `algorithm` or `key_id`.
 */
export function requireStatementHeader(header: JoseHeader, profile: Profile): void {
  const { algorithms, types, needsKeyIds } = PROFILE_RULES[profile];
  if (!algorithms.some((algorithm) => algorithm === header.alg))
    throw new FederationFailure('algorithm', 'algorithm is not accepted');
  if (!types.includes(header.typ))
    throw new FederationFailure('wrong_type', 'typ is not that of an entity statement');
  if (header.kid === '' || (needsKeyIds && header.kid === undefined))
    throw new FederationFailure('key_id', 'kid is missing');
}

/**
 * Checks that a statement contains no chain, which members of a chain must not (OpenID Federation 1.0 section 4.3).
 * @throws FederationFailure `header`.
 */
export function requireNoChainHeader({ members }: JoseHeader): void {
  if (Object.hasOwn(members, 'trust_chain') || Object.hasOwn(members, 'peer_trust_chain'))
    throw new FederationFailure('header', 'a statement of a chain contains a chain itself');
}
