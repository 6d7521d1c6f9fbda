import { type EpochSeconds, epochSeconds, type JsonObject, parseClientId } from '@vestibule/protocol';
import type { AccessToken } from '@vestibule/tokens';
import { instantMember, objectMember, required, textMember } from './model-payload.js';

/**
 * What a server tells about an access token beside what the library knows: the members of `extra`, which its hook
 * `extraTokenClaims` returns.
 */
export interface TokenFacts {
  /** The end-user as the client knows them: pairwise where the client registered that. */
  readonly subject?: string;
  readonly username?: string;
  /** Consented claims that resource servers may learn. */
  readonly claims?: JsonObject;
  /** How and when the end-user logged in (RFC 9470 section 6.2); see `authenticationFacts`. */
  readonly acr?: string;
  readonly authTime?: number;
  readonly act?: JsonObject;
  readonly dat?: JsonObject;
  /** The claims that the client asked for; the library forgets them where a token is for a resource server. */
  readonly requested?: JsonObject;
}

/** Where and when a token is stored. */
export interface TokenPlace {
  readonly issuer: string;
  /** By the clock that revocations go by. */
  readonly now: EpochSeconds;
  /** How many seconds of its life are left; all of them where it has just been made. */
  readonly remaining?: number | undefined;
  /** Whether access tokens of grants with `offline_access` end with the session too. Default false. */
  readonly endsOfflineAccess?: boolean | undefined;
}

/**
 * The state of an access token of the library, which dates tokens by its machine: here it has the same life by the
 * clock that revocations go by, for one whose machine is ahead would outlive them. Its audience `anyAudience` stands
 * for no explicit audience, which the library cannot express for tokens of resource servers.
 */
export function accessTokenOf(payload: JsonObject, place: TokenPlace): AccessToken {
  const { issuer, now, remaining, endsOfflineAccess = false } = place;
  const lifetime =
    required(instantMember(payload, 'exp'), 'exp') - required(instantMember(payload, 'iat'), 'iat');
  const expiresAt = now + (remaining ?? lifetime);
  const facts = objectMember(payload, 'extra') ?? {};
  const subject = textMember(facts, 'subject') ?? textMember(payload, 'accountId');
  const audience = textMember(payload, 'aud');
  const confirmation = confirmationOf(payload);
  return {
    clientId: required(parseClientId(payload['clientId']), 'clientId'),
    scope: textMember(payload, 'scope') ?? '',
    audience: audience === undefined || audience === issuer ? [] : [audience],
    issuer,
    issuedAt: epochSeconds(expiresAt - lifetime),
    expiresAt: epochSeconds(expiresAt),
    ...present({
      subject,
      username: textMember(facts, 'username'),
      confirmation,
      actor: objectMember(facts, 'act'),
      data: objectMember(facts, 'dat'),
      claims: claimsOf(payload, facts),
      authorizationId: textMember(payload, 'grantId'),
      sessionId: endsOfflineAccess ? sessionNameOf(payload) : sessionOf(payload),
    }),
  };
}

/**
 * The claims of a token: the consented ones, the login that it comes from, and what the end-user authorized in detail
 * (RFC 9396 section 9), which the library calls `rar`.
 */
function claimsOf(payload: JsonObject, facts: JsonObject): JsonObject | undefined {
  const claims = {
    ...objectMember(facts, 'claims'),
    ...present({
      acr: textMember(facts, 'acr'),
      auth_time: instantMember(facts, 'authTime'),
      authorization_details: Array.isArray(payload['rar']) ? payload['rar'] : undefined,
    }),
  };
  return Object.keys(claims).length === 0 ? undefined : claims;
}

/** What a token is bound to (RFC 8705 section 3.1, RFC 9449 section 6). */
function confirmationOf(payload: JsonObject): JsonObject | undefined {
  const certificate = textMember(payload, 'x5t#S256');
  const key = textMember(payload, 'jkt');
  if (certificate === undefined && key === undefined) return undefined;
  return { ...(certificate && { 'x5t#S256': certificate }), ...(key && { jkt: key }) };
}

/** The session that a token ends with: by the name that its client knows, where it knows one. */
export function sessionOf(payload: JsonObject): string | undefined {
  return payload['expiresWithSession'] === true ? sessionNameOf(payload) : undefined;
}

function sessionNameOf(payload: JsonObject): string | undefined {
  return textMember(payload, 'sid') ?? textMember(payload, 'sessionUid');
}

function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
