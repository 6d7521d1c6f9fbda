import type { AudienceNames } from '@vestibule/clients';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import type { AccessTokenStore } from './access-token-store.js';
import {
  activeResponse,
  INACTIVE_RESPONSE,
  type IntrospectionResponse,
  type ResponseComposer,
} from './introspection-response.js';
import type { PauseGuard } from './store-clock.js';
import { decideToken, type InactiveReason, type TokenDecision } from './token-decision.js';
import {
  claimToken,
  type FoundToken,
  readTokenState,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from './token-state.js';
import { tokenSyntax } from './token-syntax.js';

/** Dependencies of introspection. */
export interface IntrospectionDeps extends TokenStateDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'claim'>;
  readonly states?: TokenStates;
  /**
   * Whether `aud` of a response contains only the names of the caller (introspection/API.md#response), or the whole
   * audience.
   */
  readonly pruneAudience: boolean;
  /**
   * With `report`, a caller outside the audience gets the active response with the whole audience, to find out which
   * callers the audience rule (introspection/API.md#audience) would affect. It never consumes a token. Default
   * `enforce`.
   */
  readonly audienceRule?: 'enforce' | 'report';
  /** Called with each caller that introspects a live token for another audience. */
  readonly onForeignAudience?: (caller: ClientId) => void;
  /** Whether `scope` of a response contains only values that the caller registered. Default: the whole scope. */
  readonly narrowScope?: boolean;
  /** Detects pauses of the machine. Default: not detected. */
  readonly pauses?: PauseGuard;
  /** Composes active responses in place of the default. */
  readonly composeResponse?: ResponseComposer;
}

/** A request to the introspection endpoint. */
export interface IntrospectionRequest {
  readonly token: string;
  /** The authenticated resource server. */
  readonly caller: {
    readonly clientId: ClientId;
    /** Its names in the audience of tokens. Default: its client identifier. */
    readonly audienceNames?: AudienceNames;
    /** The scope that its client registered, space-delimited; needed for `narrowScope`. */
    readonly registeredScope?: string | undefined;
  };
  /** Whether to consume an identifier-based token. */
  readonly revoke: boolean;
}

/** A decision about a token, with its response. */
export interface Introspection {
  readonly decision: TokenDecision;
  readonly response: IntrospectionResponse;
  /** The `jti` of a self-contained token, active or not; absent unless its signature was verified. */
  readonly verifiedJti?: string;
}

/**
 * Introspects a token for a resource server (RFC 7662, introspection/API.md#introspect).
 *
 * The response is `{ active: false }` unless the text is an access token of our issuer that is neither expired nor
 * revoked and whose audience includes the caller. With `revoke`, an identifier-based token is active for exactly one of
 * any number of parallel requests; `revoke` has no effect on self-contained tokens and for callers outside the
 * audience. States from before a pause of the machine are not used. Rejects when a store fails.
 */
export async function introspect(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): Promise<Introspection> {
  const { pauses } = deps;
  if (pauses === undefined) return responseFor(deps, request, await findToken(deps, request));
  for (;;) {
    await pauses.settle();
    const jumps = pauses.jumps();
    const found = await findToken(deps, request);
    await pauses.settle();
    // A state from before a pause may be outdated. A claim is not repeated, because it consumes the token.
    if (request.revoke || pauses.jumps() === jumps) return responseFor(deps, request, found);
  }
}

/**
 * Introspects a token whose state is cached in this process, by the same rules as `introspect`. `undefined` when the
 * state has to be read, and after a pause of the machine.
 */
export function introspectCached(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): Introspection | undefined {
  if (request.revoke || deps.pauses?.settle() !== undefined) return undefined;
  const found = deps.states?.cached(request.token);
  return found && responseFor(deps, request, found);
}

/** Decides about a token and composes the response. */
export function responseFor(
  deps: IntrospectionDeps,
  { caller }: IntrospectionRequest,
  read: FoundToken,
): Introspection {
  if (!read.found) return inactive(read.reason, read.jti);
  const { state } = read;
  const jti = verifiedJti(state);
  const decision = decideToken(state, namesOf(caller), nowSeconds(deps.clock));
  if (decision.active) return introspection(decision, activeResponseFor(deps, state.token, caller), jti);
  if (decision.reason !== 'foreign_audience') return inactive(decision.reason, jti);
  deps.onForeignAudience?.(caller.clientId);
  if (deps.audienceRule !== 'report') return inactive(decision.reason, jti);
  const response = activeResponseFor({ ...deps, pruneAudience: false }, state.token, caller);
  return introspection({ active: true, state }, response, jti);
}

function inactive(reason: InactiveReason, jti: string | undefined): Introspection {
  return introspection({ active: false, reason }, INACTIVE_RESPONSE, jti);
}

function introspection(
  decision: TokenDecision,
  response: IntrospectionResponse,
  jti: string | undefined,
): Introspection {
  return jti === undefined ? { decision, response } : { decision, response, verifiedJti: jti };
}

/** Only self-contained tokens have a signed `jti`. */
function verifiedJti({ format, token }: TokenState): string | undefined {
  return format === 'jwt' ? token.jti : undefined;
}

function findToken(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
  const { token: text, revoke } = request;
  return revoke && tokenSyntax(text) === 'identifier' ? consume(deps, request) : readState(deps, text);
}

/** Consumes an identifier-based token. */
async function consume(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
  const { token: text, caller } = request;
  const claimed = await claimState(deps, text, namesOf(caller));
  return claimed.found ? claimed : { found: false, reason: await whyNotClaimed(deps, request) };
}

function readState(deps: IntrospectionDeps, text: string): Promise<FoundToken> {
  return deps.states?.read(text) ?? readTokenState(deps, text);
}

async function claimState(deps: IntrospectionDeps, text: string, caller: AudienceNames): Promise<FoundToken> {
  const now = nowSeconds(deps.clock);
  if (deps.states !== undefined) return deps.states.claim(text, caller, now);
  return claimToken(deps, text, { caller, now });
}

/**
 * Finds out why a token was not consumed, for metrics. The response does not depend on it.
 */
async function whyNotClaimed(
  deps: IntrospectionDeps,
  { token: text, caller }: IntrospectionRequest,
): Promise<InactiveReason> {
  const read = await readState(deps, text);
  if (!read.found) return read.reason;
  const decision = decideToken(read.state, namesOf(caller), nowSeconds(deps.clock));
  // The token was issued in between, so there was none to consume.
  if (decision.active) return 'unknown';
  if (decision.reason === 'foreign_audience') deps.onForeignAudience?.(caller.clientId);
  return decision.reason;
}

/** Composes the response to a caller inside the audience. */
function activeResponseFor(
  { pruneAudience, narrowScope = false, composeResponse }: IntrospectionDeps,
  token: AccessToken,
  caller: IntrospectionRequest['caller'],
): IntrospectionResponse {
  const audience = pruneAudience ? namesIn(token.audience, namesOf(caller)) : token.audience;
  const scope = narrowScope ? narrowed(token.scope, caller.registeredScope ?? '') : token.scope;
  return activeResponse({ token, caller: caller.clientId, audience, scope }, composeResponse);
}

/** Returns the names of a caller in the audience of tokens. */
export function namesOf({ clientId, audienceNames }: IntrospectionRequest['caller']): AudienceNames {
  return audienceNames ?? [clientId];
}

/** Returns the names of the caller in an audience, in the token's spelling. A single name is the caller's own. */
function namesIn(audience: readonly string[], caller: AudienceNames): readonly string[] {
  return audience.length <= 1 ? audience : audience.filter((name) => caller.includes(name));
}

/** Returns the values of a scope that are in another scope too, in their order. */
function narrowed(scope: string, by: string): string {
  const known = new Set(by.split(' '));
  return scope
    .split(' ')
    .filter((value) => known.has(value))
    .join(' ');
}
