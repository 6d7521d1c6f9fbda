import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { AccessTokenStore } from './access-token-store.js';
import {
  type AnswerComposer,
  composeAnswer,
  INACTIVE_ANSWER,
  type IntrospectionAnswer,
} from './introspection-answer.js';
import { decideToken, type TokenDecision } from './token-decision.js';
import { type FoundToken, readTokenState, type TokenStateDeps } from './token-state.js';
import { tokenSyntax } from './token-syntax.js';

/** What introspecting a token takes. */
export interface IntrospectionDeps extends TokenStateDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'claim'>;
  /** Whether a caller sees of the audience itself alone (Seed 2.3); otherwise the whole of it. */
  readonly pruneAudience: boolean;
  /** Makes other answers than the default ones. */
  readonly composeAnswer?: AnswerComposer;
}

/** A question to the introspection endpoint. */
export interface IntrospectionRequest {
  readonly token: string;
  /** The resource server that asks, by the identity that it proved. */
  readonly caller: { readonly clientId: ClientId };
  /** Whether an identifier-based token is used up by the question. */
  readonly revoke: boolean;
}

/** What was decided, and the answer that was built from the decision. */
export interface Introspection {
  readonly decision: TokenDecision;
  readonly answer: IntrospectionAnswer;
}

/**
 * Introspects a token for a resource server (RFC 7662, Seed 4.6). The answer is inactive, and then nothing more, unless
 * the text is an access token of ours that is neither expired nor revoked and meant for the caller. With `revoke` an
 * identifier-based token is active for exactly one of any number of parallel questions; it has no effect on
 * self-contained tokens, nor for callers outside the audience. Faults of the stores propagate: they are no answer.
 */
export async function introspect(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): Promise<Introspection> {
  const { clientId } = request.caller;
  const read = await findToken(deps, request);
  const decision: TokenDecision = read.found
    ? decideToken(read.state, clientId, nowSeconds(deps.clock))
    : { active: false, reason: read.reason };
  if (!decision.active) return { decision, answer: INACTIVE_ANSWER };
  return { decision, answer: activeAnswer(deps, decision.token, clientId) };
}

async function findToken(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
  const { token: text, caller, revoke } = request;
  if (!revoke || tokenSyntax(text) !== 'identifier') return readTokenState(deps, text);
  const candidates = deps.digester.candidates('access-token', text);
  const token = await deps.accessTokens.claim(candidates, caller.clientId, nowSeconds(deps.clock));
  return token === undefined
    ? { found: false, reason: 'unknown' }
    : { found: true, state: { format: 'identifier', token } };
}

function activeAnswer(deps: IntrospectionDeps, token: AccessToken, caller: ClientId): IntrospectionAnswer {
  const compose = deps.composeAnswer ?? composeAnswer;
  // The decision put the caller in any explicit audience.
  const audience = deps.pruneAudience && token.audience.length > 0 ? [caller] : token.audience;
  const { active: _, ...members } = compose({ token, caller, audience });
  return { active: true, ...members };
}
