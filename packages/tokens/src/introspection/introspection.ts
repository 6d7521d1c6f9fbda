import type { AudienceNames } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import {
  activeResponse,
  INACTIVE_RESPONSE,
  type IntrospectionResponse,
  type ResponseComposer,
} from './introspection-response.js';
import type { TokenDecision } from './token-decision.js';

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
export function namesOf({ clientId, audienceNames }: ResourceServer): AudienceNames {
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
