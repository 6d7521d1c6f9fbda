import { type EpochSeconds, epochSeconds, parseClientId } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { AccessToken } from '@vestibule/tokens';
import { instantMember, objectMember, required, textMember } from './model-payload.js';

/**
 * Facts about an access token that the library does not know: the members of `extra`, which its hook `extraTokenClaims`
 * returns.
 */
export interface TokenFacts {
  /** The `sub` for the client: pairwise if the client registered that. */
  readonly subject?: string;
  readonly username?: string;
  /** Consented claims that resource servers receive. */
  readonly claims?: JsonObject;
  /** Class and time of the login (RFC 9470 section 6.2); see `authenticationFacts`. */
  readonly acr?: string;
  readonly authTime?: number;
  readonly act?: JsonObject;
  readonly dat?: JsonObject;
  /** The claims that the client requested; the library drops them if a token is for a resource server. */
  readonly requested?: JsonObject;
}

/** Issuer, time and remaining lifetime of a token that is stored. */
export interface StorageContext {
  readonly issuer: string;
  /** By the clock that dates revocations. */
  readonly now: EpochSeconds;
  /** Remaining lifetime in seconds. Default: all of it, for a new token. */
  readonly remaining?: number | undefined;
  /** Whether access tokens of grants with `offline_access` end with the session too. Default: false. */
  readonly endsOfflineAccess?: boolean | undefined;
}

/**
 * Converts an access token of the library. The library dates tokens by the clock of the machine; here the token gets
 * the same lifetime by the clock that dates revocations, since a token dated by a fast clock would survive them. Its
 * audience `anyAudience` stands for no explicit audience, which the library cannot express for tokens of resource
 * servers.
 */
export function accessTokenOf(payload: JsonObject, context: StorageContext): AccessToken {
  const { issuer, now, remaining, endsOfflineAccess = false } = context;
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
 * The claims of a token: consented claims, the facts about its login, and the `authorization_details` (RFC 9396 section
 * 9), which the library calls `rar`.
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

/** The key that a token is bound to (RFC 8705 section 3.1, RFC 9449 section 6). */
function confirmationOf(payload: JsonObject): JsonObject | undefined {
  const certificate = textMember(payload, 'x5t#S256');
  const key = textMember(payload, 'jkt');
  if (certificate === undefined && key === undefined) return undefined;
  return { ...(certificate && { 'x5t#S256': certificate }), ...(key && { jkt: key }) };
}

/** The session that a token ends with: the `sid` of its client, if it has one. */
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
