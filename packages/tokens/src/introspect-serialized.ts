import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import {
  type Introspection,
  type IntrospectionDeps,
  type IntrospectionRequest,
  namesOf,
  responseFor,
} from './introspect.js';
import { INACTIVE_RESPONSE } from './introspection-response.js';
import { decideToken, type TokenDecision } from './token-decision.js';
import type { FoundToken } from './token-state.js';

/** The decision about a token with the serialized response. */
export interface SerializedIntrospection {
  readonly decision: TokenDecision;
  /** JSON (RFC 7662 section 2.2). */
  readonly text: string;
}

const INACTIVE_TEXT = JSON.stringify(INACTIVE_RESPONSE);

/**
 * Serializes the response. A response that is the same for all callers is serialized once and kept with the state of
 * the token.
 */
export function serialized(
  deps: IntrospectionDeps,
  { decision, response }: Introspection,
): SerializedIntrospection {
  if (!decision.active) return { decision, text: INACTIVE_TEXT };
  const { state } = decision;
  if (!isSeenWhole(deps, state.token)) return { decision, text: JSON.stringify(response) };
  state.serializedResponse ??= JSON.stringify(response);
  return { decision, text: state.serializedResponse };
}

/** Like `introspectCached`, with the serialized response. All rules are applied on every call. */
export function introspectCachedSerialized(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): SerializedIntrospection | undefined {
  if (request.revoke || deps.pauses?.settle() !== undefined) return undefined;
  const found = deps.states?.cached(request.token);
  if (found === undefined) return undefined;
  return cachedResponse(deps, request, found) ?? serialized(deps, responseFor(deps, request, found));
}

/** Returns the response that was serialized before, if it is valid for this caller too. */
function cachedResponse(
  deps: IntrospectionDeps,
  { caller }: IntrospectionRequest,
  found: FoundToken,
): SerializedIntrospection | undefined {
  const text = found.found ? found.state.serializedResponse : undefined;
  if (!found.found || text === undefined || !isSeenWhole(deps, found.state.token)) return undefined;
  const decision = decideToken(found.state, namesOf(caller), nowSeconds(deps.clock));
  return decision.active ? { decision, text } : undefined;
}

/**
 * Whether the response is the same for all callers in the audience: nothing is left out for them, or there is only one.
 */
function isSeenWhole(
  { pruneAudience, narrowScope = false, composeResponse }: IntrospectionDeps,
  { audience }: AccessToken,
): boolean {
  return !narrowScope && composeResponse === undefined && (!pruneAudience || audience.length <= 1);
}
