import type { AudienceNames } from '@vestibule/clients/resource-servers';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';

/** Why a token is not active, for metrics and logs, never for callers. */
export type InactiveReason =
  /** The text cannot be a token. */
  | 'malformed'
  /** Not in the store, or already claimed. */
  | 'unknown'
  /** Not a self-contained access token of our issuer. */
  | 'not_ours'
  | 'revoked'
  | 'expired'
  /** The registration of the client has expired. */
  | 'client_expired'
  | 'not_yet_valid'
  | 'foreign_audience';

/** Returns why a token is outside its own times or those of its client at `now`; `undefined` when it is not. */
export function whyUntimely(token: AccessToken, now: EpochSeconds): InactiveReason | undefined {
  if (now >= token.expiresAt) return 'expired';
  if (token.notBefore !== undefined && now < token.notBefore) return 'not_yet_valid';
  if (token.clientExpiresAt !== undefined && now >= token.clientExpiresAt) return 'client_expired';
  return undefined;
}

/**
 * Returns why a token is not active for a caller at `now`; `undefined` when it is: within its times, and with a name of
 * the caller in its audience if it has one (introspection/API.md#audience). There is no leeway: a token is inactive from
 * the second of its `exp` on.
 */
export function whyInactive(
  token: AccessToken,
  caller: AudienceNames,
  now: EpochSeconds,
): InactiveReason | undefined {
  return whyUntimely(token, now) ?? whyNotFor(token, caller);
}

function whyNotFor({ audience }: AccessToken, caller: AudienceNames): InactiveReason | undefined {
  return audience.length === 0 || caller.some((name) => audience.includes(name))
    ? undefined
    : 'foreign_audience';
}
