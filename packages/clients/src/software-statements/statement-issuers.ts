import type { VerificationKeySource } from '@vestibule/crypto/jwt';
import {
  hasVerificationKey,
  type PublicJwkSet,
  parsePublicJwks,
  type RemoteKeySets,
  verificationKeysIn,
} from '@vestibule/crypto/public-keys';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { isJsonObject, type JsonValue } from '@vestibule/protocol/json';

declare const issuersBrand: unique symbol;

/** The keys of an issuer: configured, or at a URL. */
export type StatementIssuerKeys = { readonly jwks: PublicJwkSet } | { readonly address: string };

/** Trusted issuers of software statements with their keys, made by {@link parseStatementIssuers}. */
export type StatementIssuers = ReadonlyMap<string, StatementIssuerKeys> & { readonly [issuersBrand]: true };

const MAX_LENGTH = 2048;

/**
 * Parses the trusted issuers from the configuration: an object from `iss` values to a JWK set or its https URL (http
 * for hosts that egress allows).
 * @throws TypeError whose message names the rule and quotes nothing.
 */
export function parseStatementIssuers(value: unknown): StatementIssuers {
  if (!isJsonObject(value)) throw new TypeError('must be an object of issuers');
  const issuers: ReadonlyMap<string, StatementIssuerKeys> = new Map(
    Object.entries(value).map(([issuer, keys]) => [parseIssuerName(issuer), parseKeys(keys)]),
  );
  return issuers as StatementIssuers;
}

/** Finds the keys of a trusted issuer. */
export function statementKeys(
  keys: StatementIssuerKeys,
  remote: Pick<RemoteKeySets, 'verificationKeys'>,
): VerificationKeySource {
  if ('address' in keys) return remote.verificationKeys(keys.address);
  return verificationKeysIn(keys.jwks);
}

// Issuers of statements need not be URLs (RFC 7519 section 4.1.1).
function parseIssuerName(issuer: string): string {
  if (issuer === '' || issuer.length > MAX_LENGTH)
    throw new TypeError('must name issuers of 1 to 2048 characters');
  return issuer;
}

function parseKeys(value: JsonValue): StatementIssuerKeys {
  return typeof value === 'string' ? { address: parseAddress(value) } : { jwks: parseKeySet(value) };
}

function parseAddress(address: string): string {
  if (!/^https?:\/\/[!-~]+$/.test(address) || address.length > MAX_LENGTH || !URL.canParse(address))
    throw new TypeError('must give each issuer a JWK set or the https address of one');
  return address;
}

function parseKeySet(value: JsonValue): PublicJwkSet {
  const result = parsePublicJwks(value);
  if (!result.ok) throw new TypeError(`must hold JWK sets of public keys: ${result.reason}`);
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => hasVerificationKey(result.jwks, algorithm)))
    throw new TypeError('must hold JWK sets with a key that verifies signatures');
  return result.jwks;
}
