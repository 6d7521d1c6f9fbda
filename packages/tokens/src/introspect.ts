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

/** What introspecting a token takes. */
export interface IntrospectionDeps extends TokenStateDeps {
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'claim'>;
  readonly states?: TokenStates;
  /**
   * Whether a caller sees of the audience its own names alone (introspection/API.md#response); otherwise the whole of
   * it.
   */
  readonly pruneAudience: boolean;
  /**
   * With `report` a caller outside the audience gets the response all the same, with the whole audience in it, for
   * finding out whom the rule of introspection/API.md#introspect is going to shut out; it uses up no token with that.
   * Default `enforce`.
   */
  readonly audienceRule?: 'enforce' | 'report';
  /** Told of every caller that asks about a live token for another audience. */
  readonly onForeignAudience?: (caller: ClientId) => void;
  /** Whether a caller sees of the scope only what its client registered. Default: the whole of it. */
  readonly narrowScope?: boolean;
  /** Without it nobody notices that the machine was paused. */
  readonly pauses?: PauseGuard;
  /** Makes other answers than the default ones. */
  readonly composeResponse?: ResponseComposer;
}

/** A question to the introspection endpoint. */
export interface IntrospectionRequest {
  readonly token: string;
  /** The resource server that asks, by the identity that it proved. */
  readonly caller: {
    readonly clientId: ClientId;
    /** What it is called in the audience of tokens. Default: its client identifier. */
    readonly audienceNames?: AudienceNames;
    /** The scope that its client registered, space-delimited; needed where scopes are narrowed. */
    readonly registeredScope?: string | undefined;
  };
  /** Whether an identifier-based token is used up by the question. */
  readonly revoke: boolean;
}

/** What was decided, and the response that was built from the decision. */
export interface Introspection {
  readonly decision: TokenDecision;
  readonly response: IntrospectionResponse;
  /** The `jti` of a self-contained token, active or not; absent unless its signature was verified. */
  readonly verifiedJti?: string;
}

/**
 * Introspects a token for a resource server (RFC 7662, introspection/API.md#introspect). The response is inactive, and
 * then nothing more, unless the text is an access token of ours that is neither expired nor revoked and meant for the
 * caller. With `revoke` an identifier-based token is active for exactly one of any number of parallel requests; it
 * has no effect on self-contained tokens, nor for callers outside the audience. Faults of the stores propagate: they
 * are no response. Nothing is answered by what was known before a pause of the machine.
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
    // What was found before a pause may be wrong after it. A token is used up only once.
    if (request.revoke || pauses.jumps() === jumps) return responseFor(deps, request, found);
  }
}

/**
 * Introspects a token whose state is known without asking anyone; `undefined` when someone has to be asked, as
 * after a pause of the machine. The rules are the same, and so is the response.
 */
export function introspectKnown(
  deps: IntrospectionDeps,
  request: IntrospectionRequest,
): Introspection | undefined {
  if (request.revoke || deps.pauses?.settle() !== undefined) return undefined;
  const found = deps.states?.known(request.token);
  return found && responseFor(deps, request, found);
}

/** What is answered about a token of which everything is known. */
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

/** What an identifier-based token is called in the store was never signed. */
function verifiedJti({ format, token }: TokenState): string | undefined {
  return format === 'jwt' ? token.jti : undefined;
}

function findToken(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
  const { token: text, revoke } = request;
  return revoke && tokenSyntax(text) === 'identifier' ? useUp(deps, request) : readState(deps, text);
}

/** Uses up an identifier-based token. */
async function useUp(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<FoundToken> {
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
  const hasEveryKey = deps.digester.hasEveryKey();
  const candidates = deps.digester.candidates('access-token', text);
  return claimToken(deps.accessTokens, candidates, { caller, now, hasEveryKey });
}

/**
 * Why a token was not used up, for those who watch: the response is the same, and callers outside the audience show.
 */
async function whyNotClaimed(
  deps: IntrospectionDeps,
  { token: text, caller }: IntrospectionRequest,
): Promise<InactiveReason> {
  const read = await readState(deps, text);
  if (!read.found) return read.reason;
  const decision = decideToken(read.state, namesOf(caller), nowSeconds(deps.clock));
  // It may have begun to live in between: then there was none when it was to be used up.
  if (decision.active) return 'unknown';
  if (decision.reason === 'foreign_audience') deps.onForeignAudience?.(caller.clientId);
  return decision.reason;
}

/** The response to a caller that may see a token. */
function activeResponseFor(
  { pruneAudience, narrowScope = false, composeResponse }: IntrospectionDeps,
  token: AccessToken,
  caller: IntrospectionRequest['caller'],
): IntrospectionResponse {
  const audience = pruneAudience ? namesIn(token.audience, namesOf(caller)) : token.audience;
  const scope = narrowScope ? narrowed(token.scope, caller.registeredScope ?? '') : token.scope;
  return activeResponse({ token, caller: caller.clientId, audience, scope }, composeResponse);
}

/** What a caller is called in the audience of tokens. */
export function namesOf({ clientId, audienceNames }: IntrospectionRequest['caller']): AudienceNames {
  return audienceNames ?? [clientId];
}

/** Of an audience the names of the caller, as the token has them; a single name is the caller's own. */
function namesIn(audience: readonly string[], caller: AudienceNames): readonly string[] {
  return audience.length <= 1 ? audience : audience.filter((name) => caller.includes(name));
}

/** The values of a scope that stand in another one too, in their order. */
function narrowed(scope: string, by: string): string {
  const known = new Set(by.split(' '));
  return scope
    .split(' ')
    .filter((value) => known.has(value))
    .join(' ');
}
