import type { IntrospectionCaller } from '@vestibule/client-auth';
import {
  type InactiveReason,
  type Introspection,
  type IntrospectionRequest,
  introspect,
  introspectCached,
  type TokenDecision,
} from '@vestibule/tokens';
import type { IntrospectionServiceDeps } from './deps.js';

/** An introspection request of an authenticated caller. */
export interface CallersRequest extends IntrospectionRequest {
  readonly caller: IntrospectionCaller;
}

/**
 * Introspection with metrics and with the rate limit of inactive responses.
 */
export interface MeteredIntrospection {
  /**
   * Counts a decision. Returns a promise only when the rate limit has to be awaited.
   * @throws ThrottledError when the response exceeds the rate limit; it must not be sent then
   */
  account(request: CallersRequest, decision: TokenDecision): Promise<void> | undefined;
  /** Introspects unless the caller is beyond its rate limit. @throws ThrottledError, and the errors of `introspect` */
  ask(request: CallersRequest): Promise<Introspection>;
  /** Introspects from the in-process cache where possible: cached tokens are served to throttled callers too. */
  inspect(request: CallersRequest): Promise<Introspection>;
}

/** Creates the metered introspection of a service. */
export function meteredIntrospection(deps: IntrospectionServiceDeps): MeteredIntrospection {
  const account: MeteredIntrospection['account'] = ({ caller }, decision) => {
    deps.outcomes?.count(decision);
    return isGuess(decision) ? deps.inactiveResponseRateLimit?.spend(caller.clientId) : undefined;
  };
  const ask: MeteredIntrospection['ask'] = async (request) => {
    deps.inactiveResponseRateLimit?.admit(request.caller.clientId);
    const introspection = await introspect(deps, request);
    const spent = account(request, introspection.decision);
    if (spent !== undefined) await spent;
    return introspection;
  };
  return {
    account,
    ask,
    inspect: async (request) => {
      const known = introspectCached(deps, request);
      if (known === undefined) return ask(request);
      await account(request, known.decision);
      return known;
    },
  };
}

/**
 * Whether an inactive response may be a guess at a token. Text that cannot be a token does not find one, and a token
 * that ended needs no guessing: resource servers introspect whatever their clients send.
 */
function isGuess(decision: TokenDecision): boolean {
  return !decision.active && !NO_GUESSES.has(decision.reason);
}

const NO_GUESSES: ReadonlySet<InactiveReason> = new Set([
  'malformed',
  'expired',
  'revoked',
  'client_expired',
  'not_yet_valid',
]);
