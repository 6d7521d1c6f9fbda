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
