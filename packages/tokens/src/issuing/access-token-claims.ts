import {
  type EpochSeconds,
  epochSeconds,
  type Issuer,
  isEpochSeconds,
  parseClientId,
} from '@vestibule/protocol';
import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import type { AccessToken } from '../access-token.js';
import { MAX_TOKEN_LIFETIME_SECONDS } from './access-token-grant.js';
import { presentMembers, withoutProtocolMembers } from './protocol-members.js';

/** How far the clock of an issuer that shares our keys may be ahead of the store's, in seconds. */
const ISSUED_AT_SKEW_SECONDS = 30;

/**
 * Private claim of the tokens that this code issues. It says that `iat` was read from the clock of the store, which
 * dates revocations too, so that it is exact.
 */
const ISSUED_AT_CLOCK = { name: 'iat_clock', ofStore: 'store' } as const;

/** A self-contained token. It always has a `jti`, by which it can be revoked. */
export type SelfContainedToken = AccessToken & {
  readonly jti: string;
  /** Earliest time, by the clock of the store, at which the token may have been issued. */
  readonly earliestIssuedAt: EpochSeconds;
};

/**
 * Builds the claims of a self-contained access token (RFC 9068 section 2.2) whose times are those of the store's clock.
 * `sub` is the client if no end-user is involved. `aud` is left out if the grant has no explicit audience, because a
 * default value would be taken for an explicit one.
 */
export function toClaims(token: AccessToken & { readonly jti: string }): JsonObject {
  return presentMembers({
    iss: token.issuer,
    sub: token.subject ?? token.clientId,
    client_id: token.clientId,
    aud: token.audience.length === 0 ? undefined : token.audience,
    scope: token.scope === '' ? undefined : token.scope,
    iat: token.issuedAt,
    [ISSUED_AT_CLOCK.name]: ISSUED_AT_CLOCK.ofStore,
    nbf: token.notBefore,
    exp: token.expiresAt,
    jti: token.jti,
    cnf: token.confirmation,
    act: token.actor,
    dat: token.data,
    username: token.username,
    sid: token.sessionId,
    ...(token.claims === undefined ? {} : withoutProtocolMembers(token.claims)),
  });
}

/**
 * Reads the token from verified claims. `undefined` unless every claim of RFC 9068 section 2.2 except `aud` is present,
 * all have their types, the issuer is ours and the lifetime is at most the one that revocations are kept for. Does not
 * check expiry.
 */
export function fromClaims(
  claims: JsonObject,
  issuer: Issuer,
  now: EpochSeconds,
): SelfContainedToken | undefined {
  const { iat, exp, nbf, jti, sub } = claims;
  const clientId = parseClientId(claims['client_id']);
  const audience = parseAudience(claims['aud']);
  if (claims['iss'] !== issuer || clientId === undefined || audience === undefined) return undefined;
  if (!isFilledText(jti) || !isFilledText(sub) || !hasOptionalTypes(claims)) return undefined;
  if (![jti, sub, claims['sid'] ?? ''].every(isNameable)) return undefined;
  if (!isEpochSeconds(iat) || !isEpochSeconds(exp) || !(nbf === undefined || isEpochSeconds(nbf)))
    return undefined;
  // A token that is dated ahead would outlive the revocations of the present.
  if (iat > now + ISSUED_AT_SKEW_SECONDS || exp - iat > MAX_TOKEN_LIFETIME_SECONDS) return undefined;
  return {
    clientId,
    audience,
    issuer,
    issuedAt: iat,
    earliestIssuedAt: earliestIssue(iat, claims),
    expiresAt: exp,
    jti,
    subject: sub,
    ...optionalState(claims),
    ...(nbf === undefined ? {} : { notBefore: nbf }),
  };
}

/** A token that was dated by another clock may be older than its `iat`; revocations must cover it nevertheless. */
function earliestIssue(iat: EpochSeconds, claims: JsonObject): EpochSeconds {
  return isMarkedAsOurs(claims) ? iat : epochSeconds(Math.max(0, iat - ISSUED_AT_SKEW_SECONDS));
}

/** Whether the claims are those of an access token that this code issued. No consented claim can have this name. */
export function isMarkedAsOurs(claims: JsonObject): boolean {
  return claims[ISSUED_AT_CLOCK.name] === ISSUED_AT_CLOCK.ofStore;
}

/** Removes the mark of our tokens from the claims of another server's token. */
export function withoutOurMark({ [ISSUED_AT_CLOCK.name]: _mark, ...claims }: JsonObject): JsonObject {
  return claims;
}

const TEXT_CLAIMS = ['scope', 'username', 'sid'] as const;
const OBJECT_CLAIMS = ['cnf', 'act', 'dat'] as const;

function hasOptionalTypes(claims: JsonObject): boolean {
  return (
    TEXT_CLAIMS.every((name) => claims[name] === undefined || isText(claims[name])) &&
    OBJECT_CLAIMS.every((name) => claims[name] === undefined || isJsonObject(claims[name]))
  );
}

function optionalState({ scope, username, sid, cnf, act, dat, ...rest }: JsonObject) {
  const claims = withoutProtocolMembers(rest);
  return {
    scope: isText(scope) ? scope : '',
    ...(isText(username) ? { username } : {}),
    ...(isText(sid) ? { sessionId: sid } : {}),
    ...(isJsonObject(cnf) ? { confirmation: cnf } : {}),
    ...(isJsonObject(act) ? { actor: act } : {}),
    ...(isJsonObject(dat) ? { data: dat } : {}),
    ...(claims === undefined ? {} : { claims }),
  };
}

/** Parses `aud`: empty when absent, `undefined` for an empty array or one that contains anything but names. */
function parseAudience(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined) return [];
  const audience = Array.isArray(value) ? value : [value];
  return audience.length > 0 && audience.every(isFilledText) ? audience : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether the store can hold the value in a revocation: text without NUL. */
function isNameable(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}
