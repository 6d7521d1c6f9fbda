import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { AccessTokenStore } from '../access-token-store.js';
import type { PauseGuard } from '../cache/store-clock.js';
import type { InactiveReason } from '../inactive-reason.js';
import {
  claimToken,
  type FoundToken,
  findTokenState,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from '../token-state.js';
import { tokenSyntax } from '../token-syntax.js';
import { Introspection, namesOf, type ResourceServer, type ResponseRules } from './introspection.js';
import { decideToken } from './token-decision.js';

/** Dependencies of introspection. */
export interface IntrospectionDeps extends TokenStateDeps, ResponseRules {
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'claim'>;
  readonly states?: TokenStates;
  /**
   * With `report`, a caller outside the audience gets the active response with the whole audience, to find out which
   * callers the audience rule (introspection/API.md#audience) would affect. It never consumes a token. Default
   * `enforce`.
   */
  readonly audienceRule?: 'enforce' | 'report';
  /** Called with each caller that introspects a live token for another audience. */
  readonly onForeignAudience?: (caller: ClientId) => void;
  /** Called before anything is read or consumed for a caller. When it throws, nothing is. */
  readonly admit?: (caller: ClientId) => void;
  /** Detects pauses of the machine. Default: not detected. */
  readonly pauses?: PauseGuard;
}

/** A request to the introspection endpoint. */
export interface IntrospectionRequest {
  readonly token: string;
  readonly caller: ResourceServer;
  /** Whether to consume an identifier-based token. */
  readonly revoke: boolean;
}

/**
 * Introspects a token for a resource server (RFC 7662, introspection/API.md#introspect).
 *
 * The response is `{ active: false }` unless the text is an access token of our issuer that is neither expired nor
 * revoked and whose audience includes the caller. With `revoke`, an identifier-based token is active for exactly one of
 * any number of parallel requests; `revoke` has no effect on self-contained tokens and for callers outside the
 * audience. States from before a pause of the machine are not used.
 *
 * Returns a promise unless the state is cached in this process. It rejects when a store fails, or its time cannot be read
 * after a pause; after a pause also with what `admit` throws.
 * @throws what `admit` throws
 */
export function introspect(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): Introspection | Promise<Introspection> {
  const settling = deps.pauses?.settle();
  if (settling !== undefined) return settling.then(() => introspect(deps, request));
  const isClaim = consumes(request);
  const cached = isClaim ? undefined : deps.states?.cached(request.token);
  if (cached !== undefined) return decide(deps, request, cached);
  deps.admit?.(request.caller.clientId);
  return introspectStored(deps, request, isClaim);
}

/** Reads the state, or claims the token, and decides at a time that is known. */
async function introspectStored(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
  isClaim: boolean,
): Promise<Introspection> {
  const { pauses } = deps;
  for (;;) {
    await pauses?.settle();
    const jumps = pauses?.jumps();
    const found = await (isClaim ? consume(deps, request) : findTokenState(deps, request.token));
    await pauses?.settle();
    // A state from before a pause may be outdated. A claim is not repeated, because it consumes the token.
    if (isClaim || pauses?.jumps() === jumps) return decide(deps, request, found);
  }
}

/** Self-contained tokens cannot be consumed, so `revoke` makes no difference to them. */
function consumes({ token, revoke }: IntrospectionRequest): boolean {
  return revoke && tokenSyntax(token) === 'identifier';
}

async function consume(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
  const claimed = await claim(deps, request);
  return claimed.found ? claimed : { found: false, reason: await whyNotClaimed(deps, request) };
}

function claim(deps: IntrospectionDeps, { token: text, caller }: IntrospectionRequest): Promise<FoundToken> {
  const [names, now] = [namesOf(caller), nowSeconds(deps.clock)];
  return deps.states?.claim(text, names, now) ?? claimToken(deps, text, { caller: names, now });
}

/** Finds out why a token was not consumed, for metrics. The response does not depend on it. */
async function whyNotClaimed(
  deps: IntrospectionDeps,
  { token: text, caller }: IntrospectionRequest,
): Promise<InactiveReason> {
  const read = await findTokenState(deps, text);
  if (!read.found) return read.reason;
  const decision = decideToken(read.state, namesOf(caller), nowSeconds(deps.clock));
  // The token was issued in between, so there was none to consume.
  if (decision.active) return 'unknown';
  if (decision.reason === 'foreign_audience') deps.onForeignAudience?.(caller.clientId);
  return decision.reason;
}

function decide(deps: IntrospectionDeps, { caller }: IntrospectionRequest, found: FoundToken): Introspection {
  if (!found.found)
    return new Introspection({ active: false, reason: found.reason }, found.jti, caller, deps);
  const { state } = found;
  const decision = decideToken(state, namesOf(caller), nowSeconds(deps.clock));
  if (decision.active || decision.reason !== 'foreign_audience')
    return new Introspection(decision, verifiedJti(state), caller, deps);
  deps.onForeignAudience?.(caller.clientId);
  return deps.audienceRule === 'report'
    ? new Introspection({ active: true, state }, verifiedJti(state), caller, {
        ...deps,
        pruneAudience: false,
      })
    : new Introspection(decision, verifiedJti(state), caller, deps);
}

/** Only self-contained tokens have a signed `jti`. */
function verifiedJti({ format, token }: TokenState): string | undefined {
  return format === 'jwt' ? token.jti : undefined;
}
