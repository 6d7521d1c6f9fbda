import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import {
  activeAnswerFor,
  answerFor,
  type Introspection,
  type IntrospectionDeps,
  type IntrospectionRequest,
} from './introspect.js';
import { INACTIVE_ANSWER } from './introspection-answer.js';
import { decideToken, type TokenDecision } from './token-decision.js';

/** What was decided, and the answer as the text that is sent. */
export interface WrittenIntrospection {
  readonly decision: TokenDecision;
  /** JSON (RFC 7662 section 2.2). */
  readonly text: string;
}

const INACTIVE_TEXT = JSON.stringify(INACTIVE_ANSWER);

/** The same with the answer in writing. */
export function inWriting({ decision, answer }: Introspection): WrittenIntrospection {
  return { decision, text: decision.active ? JSON.stringify(answer) : INACTIVE_TEXT };
}

/**
 * What `introspectKnown` gives, in writing. The rules are applied on every call; what an answer tells of a remembered
 * token is written once, for all callers that may see all of it.
 */
export function introspectKnownInWriting(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): WrittenIntrospection | undefined {
  if (request.revoke) return undefined;
  const found = deps.states?.known(request.token);
  if (found === undefined) return undefined;
  if (!found.found || !isSeenWhole(deps, found.state.token))
    return inWriting(answerFor(deps, request, found));
  const { state } = found;
  const decision = decideToken(state, request.caller.clientId, nowSeconds(deps.clock));
  if (!decision.active) return inWriting(answerFor(deps, request, found));
  state.wholeAnswer ??= JSON.stringify(activeAnswerFor(deps, state.token, request.caller));
  return { decision, text: state.wholeAnswer };
}

/** Whether all callers that may see a token see the same of it: nothing is cut for them, or there is but one of them. */
function isSeenWhole(
  { pruneAudience, narrowScope = false, composeAnswer }: IntrospectionDeps,
  { audience }: AccessToken,
): boolean {
  return !narrowScope && composeAnswer === undefined && (!pruneAudience || audience.length <= 1);
}
