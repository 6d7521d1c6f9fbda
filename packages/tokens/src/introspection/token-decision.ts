import type { AudienceNames } from '@vestibule/clients';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import { type InactiveReason, whyUntimely } from '../inactive-reason.js';
import type { TokenState } from '../token-state.js';

/** Decision about a token for one caller. */
export type TokenDecision =
  | { readonly active: false; readonly reason: InactiveReason }
  | { readonly active: true; readonly state: TokenState };

/**
 * Decides whether a token is active for a caller at `now`: within its times, and with a name of the caller in its
 * audience if it has one (introspection/API.md#audience). There is no leeway: a token is inactive from the second of
 * its `exp` on.
 */
export function decideToken(state: TokenState, caller: AudienceNames, now: EpochSeconds): TokenDecision {
  const reason = whyUntimely(state.token, now) ?? whyNotFor(state.token, caller);
  return reason === undefined ? { active: true, state } : { active: false, reason };
}

function whyNotFor({ audience }: AccessToken, caller: AudienceNames): InactiveReason | undefined {
  return audience.length === 0 || caller.some((name) => audience.includes(name))
    ? undefined
    : 'foreign_audience';
}
