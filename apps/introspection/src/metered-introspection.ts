import type { IntrospectionCaller } from '@vestibule/client-auth';
import {
  type InactiveReason,
  type Introspection,
  type IntrospectionRequest,
  introspect,
  introspectKnown,
  type TokenDecision,
} from '@vestibule/tokens';
import type { IntrospectionServiceDeps } from './deps.js';

/** Whom the response is for, and about what. */
export interface CallersRequest extends IntrospectionRequest {
  readonly caller: IntrospectionCaller;
}

/**
 * Introspection that counts what it decides, and gives callers no more inactive responses than they have a budget for.
 */
export interface MeteredIntrospection {
  /**
   * Accounts for what was decided; without a promise where nothing has to be awaited.
   * @throws ThrottledError in place of a response that is one too many
   */
  account(request: CallersRequest, decision: TokenDecision): Promise<void> | undefined;
  /** Asks, but only for who has a budget left. @throws ThrottledError, and what `introspect` throws */
  ask(request: CallersRequest): Promise<Introspection>;
  /** The same, or what this process knows: what it knows to be alive costs nothing of the budget. */
  inspect(request: CallersRequest): Promise<Introspection>;
}

/** The introspection of a service, accounted for as the service wants it. */
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
      const known = introspectKnown(deps, request);
      if (known === undefined) return ask(request);
      await account(request, known.decision);
      return known;
    },
  };
}

/**
 * Callers pass on what others send them: what no token can look like finds none, and who has a dead one need not guess.
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
