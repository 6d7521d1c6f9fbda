import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import { type InactiveReason, whyUntimely } from '../inactive-reason.js';
import { readTokenState, type TokenState, type TokenStateDeps } from '../token-state.js';
import { whyNotOurs } from './why-not-ours.js';

/** Everything that is known of a token, independent of its audience. */
export interface TokenInspection {
  /** Why the token is not active; absent when it is. */
  readonly reason?: InactiveReason;
  /** Which requirement a self-contained token does not meet; present if the reason is `not_ours`. */
  readonly detail?: string;
  /** State of the token; absent when the token is unknown or not one of our issuer. */
  readonly state?: { readonly format: TokenState['format']; readonly token: AccessToken };
}

/**
 * Inspects a token for an operator: the audience does not matter, and an inactive token has a reason. Rejects when a
 * store fails.
 */
export async function inspectToken(deps: TokenStateDeps, text: string): Promise<TokenInspection> {
  const found = await readTokenState(deps, text);
  if (!found.found)
    return {
      reason: found.reason,
      ...(found.reason === 'not_ours' && { detail: await whyNotOurs(deps, text) }),
    };
  const { format, token } = found.state;
  const reason = whyUntimely(token, nowSeconds(deps.clock));
  return { state: { format, token }, ...(reason !== undefined && { reason }) };
}
