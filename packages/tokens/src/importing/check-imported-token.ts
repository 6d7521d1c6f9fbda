import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { isRegistrationScope } from '@vestibule/scopes';
import { MAX_TOKEN_LIFETIME_SECONDS } from '../issuing/access-token-grant.js';
import { isProtocolMember } from '../issuing/protocol-members.js';
import { IDENTIFIER_TOKEN_MAX_LENGTH, IDENTIFIER_TOKEN_MIN_LENGTH, tokenSyntax } from '../token-syntax.js';
import type { ImportedToken } from './imported-token.js';

/** Why a token cannot be imported: the member as sent, and what is wrong with it. */
export interface ImportRefusal {
  /** Absent if the problem is not that of one member. */
  readonly member?: string;
  readonly problem: string;
}

/** How far the clock of the server that issued a token may be ahead of ours, in seconds. */
export const ISSUED_AT_SKEW_SECONDS = 30;

/** Checks a token without looking it up; `undefined` if it can be imported. */
export function whyNotImportable(token: ImportedToken, now: EpochSeconds): ImportRefusal | undefined {
  return whyTextRefused(token) ?? whyTimesRefused(token, now) ?? whyContentRefused(token);
}

function whyTextRefused({ text }: ImportedToken): ImportRefusal | undefined {
  switch (tokenSyntax(text)) {
    case 'identifier':
      return undefined;
    case 'jwt':
      return refusal('token', 'is a JWT, which is verified by its signature and cannot be imported');
    case 'impossible':
      return refusal(
        'token',
        `must have ${IDENTIFIER_TOKEN_MIN_LENGTH} to ${IDENTIFIER_TOKEN_MAX_LENGTH} characters of a bearer token (RFC 6750 section 2.1) with at most one dot`,
      );
  }
}

function whyTimesRefused(
  { issuedAt, expiresAt, notBefore }: ImportedToken,
  now: EpochSeconds,
): ImportRefusal | undefined {
  if (issuedAt > now + ISSUED_AT_SKEW_SECONDS) return refusal('iat', 'lies in the future');
  if (expiresAt <= issuedAt) return refusal('exp', 'must be after iat');
  if (expiresAt <= now) return refusal('exp', 'has passed');
  // Revocations are kept for as long as a token can live.
  if (expiresAt > epochSeconds(issuedAt + MAX_TOKEN_LIFETIME_SECONDS))
    return refusal('exp', `must be at most ${MAX_TOKEN_LIFETIME_SECONDS} seconds after iat`);
  if (notBefore !== undefined && notBefore >= expiresAt) return refusal('nbf', 'must be before exp');
  return undefined;
}

function whyContentRefused({ scope, claims = {} }: ImportedToken): ImportRefusal | undefined {
  if (isRegistrationScope(scope))
    return refusal('scope', 'must not contain client-reg values, which are for initial access tokens');
  if (Object.keys(claims).some(isProtocolMember))
    return refusal('claims', 'must not contain members that the protocol defines');
  return undefined;
}

function refusal(member: string, problem: string): ImportRefusal {
  return { member, problem };
}
