import type { Client } from '@vestibule/clients';
import { sha256 } from '@vestibule/crypto';
import {
  isExpired,
  isInFuture,
  isSoleAudience,
  JoseFailure,
  numericDateClaim,
  textClaim,
} from '@vestibule/crypto/jwt';
import { type ClientId, type Clock, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { ClientRefusal, RefusalReason } from '../client-refusal.js';
import type { ClientAssertionDeps } from './client-assertion-deps.js';

export const DEFAULT_MAX_LIFETIME_SECONDS = 3_600;

/** Tolerated clock skew of a client, in seconds. */
const LEEWAY_SECONDS = 30;

/** Dependencies of checking the claims of an assertion. */
export interface AssertionClaimsDeps {
  readonly clock: Clock;
  readonly assertions: Pick<ClientAssertionDeps, 'issuer' | 'endpointAudiences' | 'maxLifetimeSeconds'>;
}

/** The record of a used assertion. */
export interface AssertionUse {
  readonly digest: Uint8Array;
  readonly keepUntil: EpochSeconds;
}

/** The checked claims of an assertion, or the refusal. */
export type EvaluatedClaims =
  | { readonly use: AssertionUse; readonly refusal?: undefined }
  | { readonly use?: undefined; readonly refusal: ClientRefusal };

/**
 * Checks the claims of an assertion of the client in `sub` (RFC 7523 section 3), but not its signature.
 * @param client The client, if the assertion is proved to be its own: federated clients must have our issuer in `aud`
 *   (OpenID Federation 1.0). Without it, the rules for other clients apply.
 */
export function evaluateClaims(
  deps: AssertionClaimsDeps,
  clientId: ClientId,
  claims: JsonObject,
  client?: Pick<Client, 'federation'>,
): EvaluatedClaims {
  const refusal =
    whyIssuerRefused(clientId, claims) ??
    whyAudienceRefused(deps, claims, client?.federation !== undefined) ??
    whyTimesRefused(deps, claims);
  if (refusal !== undefined) return { refusal };
  const [jti, expiresAt] = [text(claims, 'jti'), time(claims, 'exp')];
  if (jti === undefined || expiresAt === undefined) {
    const missing = claims['jti'] === undefined ? 'is missing; it ' : '';
    return { refusal: claimRefusal('jti', `${missing}must be a string that no earlier assertion used`) };
  }
  return {
    use: {
      digest: sha256(JSON.stringify(['client_assertion', clientId, jti])),
      // A process whose clock is behind must still find the record.
      keepUntil: epochSeconds(expiresAt + LEEWAY_SECONDS),
    },
  };
}

function whyIssuerRefused(clientId: ClientId, claims: JsonObject): ClientRefusal | undefined {
  return text(claims, 'iss') === clientId
    ? undefined
    : claimRefusal('iss', 'must be the client_id, like sub');
}

// An assertion with several audiences could be replayed by another recipient, or have been obtained from one.
function whyAudienceRefused(
  { assertions: { issuer, endpointAudiences = [] } }: AssertionClaimsDeps,
  claims: JsonObject,
  isOfFederation: boolean,
): ClientRefusal | undefined {
  const accepted = [issuer, ...(isOfFederation ? [] : endpointAudiences)];
  if (orUndefined(() => isSoleAudience(claims, accepted))) return undefined;
  const wanted = `must be one value: ${accepted.join(' or ')}`;
  if (isOfFederation)
    return claimRefusal('aud', `${wanted}, because the client is a federation entity`, 'in every setting');
  return claimRefusal('aud', wanted, 'ASSERTION_AUDIENCE');
}

function whyTimesRefused(
  { clock, assertions: { maxLifetimeSeconds = DEFAULT_MAX_LIFETIME_SECONDS } }: AssertionClaimsDeps,
  claims: JsonObject,
): ClientRefusal | undefined {
  const now = nowSeconds(clock);
  const expiresAt = time(claims, 'exp');
  if (expiresAt === undefined) return claimRefusal('exp', 'must be a time in seconds since 1970');
  if (isExpired(expiresAt, now)) return claimRefusal('exp', 'has passed');
  // Clients whose clock is ahead may use the full lifetime.
  if (isInFuture(expiresAt, now, maxLifetimeSeconds + LEEWAY_SECONDS))
    return claimRefusal(
      'exp',
      `must be at most ${maxLifetimeSeconds} seconds ahead`,
      'ASSERTION_MAX_LIFETIME_SECONDS',
    );
  return whyNotBegun('iat', claims, now) ?? whyNotBegun('nbf', claims, now);
}

function whyNotBegun(name: 'iat' | 'nbf', claims: JsonObject, now: EpochSeconds): ClientRefusal | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const begins = time(claims, name);
  if (begins === undefined) return claimRefusal(name, 'must be a time in seconds since 1970');
  return isInFuture(begins, now, LEEWAY_SECONDS) ? claimRefusal(name, 'lies in the future') : undefined;
}

/** Builds the refusal for a claim, which every caller may learn. */
function claimRefusal(
  claim: 'iss' | 'aud' | 'exp' | 'iat' | 'nbf' | 'jti',
  fault: string,
  setting?: string,
): ClientRefusal {
  const reason: RefusalReason = `assertion_${claim}`;
  const description = `client_assertion: ${claim} ${fault}`;
  return { reason, description, detail: setting === undefined ? description : `${description} (${setting})` };
}

function text(claims: JsonObject, name: string): string | undefined {
  return orUndefined(() => textClaim(claims, name));
}

function time(claims: JsonObject, name: string): EpochSeconds | undefined {
  return orUndefined(() => numericDateClaim(claims, name));
}

/** A claim of the wrong type counts as missing: the message says what it must be. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}
