import type { AudienceNames } from '@vestibule/clients/resource-servers';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import type { AccessTokenStore } from '../access-token-store.js';
import type { PauseGuard } from '../cache/store-clock.js';
import { type InactiveReason, whyInactive } from '../inactive-reason.js';
import {
  claimToken,
  type FoundToken,
  findTokenState,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from '../token-state.js';
import { tokenSyntax } from '../token-syntax.js';
import type { InactiveResponseRateLimit } from './inactive-response-rate-limit.js';
import {
  activeResponse,
  INACTIVE_RESPONSE,
  type IntrospectionResponse,
  type ResponseComposer,
} from './introspection-response.js';

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
  /**
   * Asked before anything is read or consumed for a caller. `introspect` does not count: call `consume` with the caller
   * and the reason of each inactive decision before its response is sent. Default: no limit.
   */
  readonly inactiveResponseRateLimit?: Pick<InactiveResponseRateLimit, 'admit'>;
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
 * after a pause; after a pause also with the ThrottledError.
 * @throws ThrottledError when something has to be read for a caller beyond its limit of inactive responses
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
  deps.inactiveResponseRateLimit?.admit(request.caller.clientId);
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
  const reason = whyInactive(read.state.token, namesOf(caller), nowSeconds(deps.clock));
  // The token was issued in between, so there was none to consume.
  if (reason === undefined) return 'unknown';
  if (reason === 'foreign_audience') deps.onForeignAudience?.(caller.clientId);
  return reason;
}

function decide(deps: IntrospectionDeps, { caller }: IntrospectionRequest, found: FoundToken): Introspection {
  if (!found.found)
    return new Introspection({ active: false, reason: found.reason }, found.jti, caller, deps);
  const { state } = found;
  const reason = whyInactive(state.token, namesOf(caller), nowSeconds(deps.clock));
  const jti = verifiedJti(state);
  if (reason === undefined) return new Introspection({ active: true, state }, jti, caller, deps);
  if (reason === 'foreign_audience') {
    deps.onForeignAudience?.(caller.clientId);
    if (deps.audienceRule === 'report')
      return new Introspection({ active: true, state }, jti, caller, { ...deps, pruneAudience: false });
  }
  return new Introspection({ active: false, reason }, jti, caller, deps);
}

/** Only self-contained tokens have a signed `jti`. */
function verifiedJti({ format, token }: TokenState): string | undefined {
  return format === 'jwt' ? token.jti : undefined;
}

/** An authenticated resource server. */
export interface ResourceServer {
  readonly clientId: ClientId;
  /** Its names in the audience of tokens. Default: its client identifier. */
  readonly audienceNames?: AudienceNames;
  /** The scope that its client registered, space-delimited; needed for `narrowScope`. */
  readonly registeredScope?: string | undefined;
}

/** Rules for the members of active responses. */
export interface ResponseRules {
  /**
   * Whether `aud` of a response contains only the names of the caller (introspection/API.md#response), or the whole
   * audience.
   */
  readonly pruneAudience: boolean;
  /** Whether `scope` of a response contains only values that the caller registered. Default: the whole scope. */
  readonly narrowScope?: boolean;
  /** Composes active responses in place of the default. */
  readonly composeResponse?: ResponseComposer;
}

/** Decision about a token for one caller. */
export type TokenDecision =
  | { readonly active: false; readonly reason: InactiveReason }
  | { readonly active: true; readonly state: TokenState };

const INACTIVE_TEXT = JSON.stringify(INACTIVE_RESPONSE);

/** A decision about a token for a caller, with the response, which is composed and serialized when it is first read. */
export class Introspection {
  readonly decision: TokenDecision;
  /** The `jti` of a self-contained token, active or not; `undefined` unless its signature was verified. */
  readonly verifiedJti: string | undefined;
  readonly #caller: ResourceServer;
  readonly #rules: ResponseRules;
  #response: IntrospectionResponse | undefined;

  constructor(
    decision: TokenDecision,
    verifiedJti: string | undefined,
    caller: ResourceServer,
    rules: ResponseRules,
  ) {
    this.decision = decision;
    this.verifiedJti = verifiedJti;
    this.#caller = caller;
    this.#rules = rules;
  }

  /** The response (RFC 7662 section 2.2). */
  get response(): IntrospectionResponse {
    const { decision } = this;
    if (!decision.active) return INACTIVE_RESPONSE;
    this.#response ??= activeResponseTo(this.#caller, decision.state.token, this.#rules);
    return this.#response;
  }

  /**
   * The response as JSON. A response that is the same for all callers is serialized once and kept with the state of the
   * token.
   */
  get text(): string {
    const { decision } = this;
    if (!decision.active) return INACTIVE_TEXT;
    const { state } = decision;
    if (!isSameForAll(state.token, this.#rules)) return JSON.stringify(this.response);
    state.serializedResponse ??= JSON.stringify(this.response);
    return state.serializedResponse;
  }
}

/** Returns the names of a resource server in the audience of tokens. */
function namesOf({ clientId, audienceNames }: ResourceServer): AudienceNames {
  return audienceNames ?? [clientId];
}

/**
 * Whether the response is the same for all callers in the audience: nothing is left out for them, or there is only one.
 */
function isSameForAll(
  { audience }: AccessToken,
  { pruneAudience, narrowScope = false, composeResponse }: ResponseRules,
): boolean {
  return !narrowScope && composeResponse === undefined && (!pruneAudience || audience.length <= 1);
}

function activeResponseTo(
  caller: ResourceServer,
  token: AccessToken,
  { pruneAudience, narrowScope = false, composeResponse }: ResponseRules,
): IntrospectionResponse {
  const audience = pruneAudience ? namesIn(token.audience, namesOf(caller)) : token.audience;
  const scope = narrowScope ? narrowed(token.scope, caller.registeredScope ?? '') : token.scope;
  return activeResponse({ token, caller: caller.clientId, audience, scope }, composeResponse);
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
