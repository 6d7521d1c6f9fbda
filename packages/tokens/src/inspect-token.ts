import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import { type InactiveReason, whyUntimely } from './token-decision.js';
import { readTokenState, type TokenState, type TokenStateDeps } from './token-state.js';

/** What is known of a token, whoever it is meant for. */
export interface TokenInspection {
  /** Why it is not active; absent when it is. */
  readonly reason?: InactiveReason;
  /** What the token says; absent where it is not known any more, or is no token of ours. */
  readonly state?: { readonly format: TokenState['format']; readonly token: AccessToken };
}

/**
 * Looks at a token as an operator does: nobody asks, so that its audience does not matter, and that it is not active
 * has a reason. Rejects when nobody can tell.
 */
export async function inspectToken(deps: TokenStateDeps, text: string): Promise<TokenInspection> {
  const found = await readTokenState(deps, text);
  if (!found.found) return { reason: found.reason };
  const { format, token } = found.state;
  const reason = whyUntimely(token, nowSeconds(deps.clock));
  return { state: { format, token }, ...(reason !== undefined && { reason }) };
}
