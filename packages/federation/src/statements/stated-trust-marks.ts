import { isJsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { EntityId } from '../entity-id.js';
import { FederationFailure } from '../federation-failure.js';
import { PROFILE_RULES, type StatementRules } from '../profile.js';
import { decodeStatement } from './decode-statement.js';
import type { StatedTrustMark, TrustMarkOwner } from './entity-statement.js';
import {
  claimOf,
  readEntities,
  readKeySet,
  requireEntity,
  requireObject,
  withoutNulls,
} from './statement-claims.js';

/** Maximum number of trust marks of one entity that are checked. */
const MAX_MARKS = 32;

/**
 * Parses `trust_marks`: the type beside each mark must be the one in it. Drafts named the member of the type
 * differently, so marks without one are left out in the draft profile.
 * @throws FederationFailure `claims`.
 */
export function readStatedMarks(
  claim: JsonValue | undefined,
  { profile }: StatementRules,
): readonly StatedTrustMark[] {
  if (claim === undefined) return [];
  if (!Array.isArray(claim) || claim.length > MAX_MARKS)
    throw new FederationFailure('claims', 'trust_marks is not a list of a few marks');
  const marks = claim.map(readStatedMark);
  const readable = marks.filter((mark) => mark !== undefined);
  if (PROFILE_RULES[profile].isStrict && readable.length < marks.length)
    throw new FederationFailure(
      'claims',
      'the type of a trust mark differs from the trust_mark_type beside it',
    );
  return readable;
}

function readStatedMark(value: JsonValue): StatedTrustMark | undefined {
  if (!isJsonObject(value)) return undefined;
  const [type, token] = [claimOf(value, 'trust_mark_type'), claimOf(value, 'trust_mark')];
  if (typeof type !== 'string' || typeof token !== 'string') return undefined;
  try {
    return claimOf(decodeStatement(token).claims, 'trust_mark_type') === type ? { type, token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses `trust_mark_issuers`. A type that is `null` counts as absent, so that no issuer is accepted for it.
 * @throws FederationFailure `claims`.
 */
export function readTrustMarkIssuers(
  claim: JsonValue | undefined,
  { allowHosts }: StatementRules,
): ReadonlyMap<string, readonly EntityId[]> {
  if (claim === undefined) return new Map();
  const issuers = withoutNulls(requireObject(claim, 'claims', 'trust_mark_issuers is not an object'));
  return new Map(
    Object.entries(issuers).map(([type, entities]) => [
      type,
      readEntities('trust_mark_issuers', entities, allowHosts, 'claims'),
    ]),
  );
}

/** @throws FederationFailure `claims` or `key_set` if `trust_mark_owners` is malformed. */
export function readTrustMarkOwners(
  claim: JsonValue | undefined,
  { allowHosts, profile }: StatementRules,
): ReadonlyMap<string, TrustMarkOwner> {
  if (claim === undefined) return new Map();
  const owners = requireObject(claim, 'claims', 'trust_mark_owners is not an object');
  return new Map(
    Object.entries(owners).map(([type, value]) => {
      const owner = requireObject(value, 'claims', 'an owner of trust marks is not an object');
      const jwks = readKeySet(claimOf(owner, 'jwks'), PROFILE_RULES[profile].needsKeyIds);
      return [type, { subject: requireEntity(owner, 'sub', allowHosts), jwks }];
    }),
  );
}
