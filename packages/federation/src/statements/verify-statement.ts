import { JoseFailure, type VerificationKeySource, verifyJwt } from '@vestibule/crypto/jwt';
import { type PublicJwkSet, selectVerificationKeys } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import { FederationFailure } from '../federation-failure.js';
import { PROFILE_RULES } from '../profile.js';
import type {
  EntityConfigurationContent,
  ParsedConfiguration,
  ParsedSubordinateStatement,
  SubordinateStatementContent,
  VerifiedConfiguration,
  VerifiedSubordinateStatement,
} from './entity-statement.js';

/** Permitted clock skew of an entity, in seconds. */
const LEEWAY_SECONDS = 30;

/**
 * Verifies that an entity configuration was signed with one of these keys.
 * @throws FederationFailure `key_id` or `signature`.
 */
export async function verifyConfiguration(
  statement: ParsedConfiguration,
  keys: PublicJwkSet,
): Promise<VerifiedConfiguration> {
  await requireSignature(statement, keys);
  const content: EntityConfigurationContent = statement;
  return content as VerifiedConfiguration;
}

/**
 * Verifies that a subordinate statement was signed with one of these keys.
 * @throws FederationFailure `key_id` or `signature`.
 */
export async function verifySubordinateStatement(
  statement: ParsedSubordinateStatement,
  keys: PublicJwkSet,
): Promise<VerifiedSubordinateStatement> {
  await requireSignature(statement, keys);
  const content: SubordinateStatementContent = statement;
  return content as VerifiedSubordinateStatement;
}

/**
 * Checks the times of a statement: it expires in the second of `exp`, and is issued at most 30 seconds ahead.
 * @throws FederationFailure `expired` or `issued_in_future`.
 */
export function requireAlive(
  { issuedAt, expiresAt }: { readonly issuedAt: EpochSeconds; readonly expiresAt?: EpochSeconds | undefined },
  now: EpochSeconds,
): void {
  if (expiresAt !== undefined && now >= expiresAt) throw new FederationFailure('expired', 'exp has passed');
  if (issuedAt > now + LEEWAY_SECONDS)
    throw new FederationFailure('issued_in_future', 'iat lies in the future');
}

async function requireSignature(
  { token, profile }: ParsedConfiguration | ParsedSubordinateStatement,
  jwks: PublicJwkSet,
): Promise<void> {
  const { algorithms, types } = PROFILE_RULES[profile];
  await orUntrusted(() =>
    verifyJwt(token, { keys: namedOrOnlyKey(jwks), algorithms, types, maxLength: token.length }),
  );
}

/** The key with the identifier in the header; without one, the only key that fits, and none if there are several. */
export function namedOrOnlyKey(jwks: PublicJwkSet): VerificationKeySource {
  return async (hint) => {
    const keys = await selectVerificationKeys(jwks, hint);
    return hint.kid === undefined && keys.length > 1 ? [] : keys;
  };
}

/**
 * Runs a verification.
 * @throws FederationFailure `key_id` if there is no key, `signature` for all other causes
 */
export async function orUntrusted<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch (cause) {
    if (!(cause instanceof JoseFailure)) throw cause;
    const reason = cause.reason === 'key' ? 'key_id' : 'signature';
    throw new FederationFailure(reason, cause.message, cause);
  }
}
