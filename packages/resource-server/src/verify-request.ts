import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { tokenKey } from './cache/token-cache.js';
import type { DpopNonces } from './dpop/dpop-nonces.js';
import type { Counters } from './observability/counters.js';
import type { Problem } from './options.js';
import { type PresentedToken, presentedToken } from './request/presented-token.js';
import type { ResourceRequest } from './request/resource-request.js';
import type { TokenSource } from './token-source.js';
import {
  type BindingRules,
  type PresentedBinding,
  whyBindingRefused,
  whyProofRefused,
} from './verification/proof-of-possession.js';
import type { Refusal } from './verification/refusals.js';
import { hasScope, type TokenRules, whyTokenRefused } from './verification/token-rules.js';
import type { AcceptedRequest, RefusedRequest, Verification } from './verification/verification.js';

/** What a request needs beside an active token for this API. */
export interface RequestRequirements {
  /** Scope values, space-separated, all of which the token must have. */
  readonly scope?: string;
}

/** Dependencies of {@link requestVerifier}. */
export interface RequestVerifierDeps {
  readonly source: TokenSource;
  readonly rules: TokenRules;
  readonly binding: BindingRules;
  readonly nonces: DpopNonces | undefined;
  readonly isDpopRequired: boolean;
  readonly refuse: (refusal: Refusal) => RefusedRequest;
  readonly counters: Counters;
  readonly onProblem: (problem: Problem) => void;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
}

/** Verifies requests. Whatever a request contains, it does not reject. */
export type VerifyRequest = (
  request: ResourceRequest,
  requirements?: RequestRequirements,
) => Promise<Verification>;

/**
 * Verifies a request with a bearer token that is cached, without waiting. Returns `undefined` if the request is to be
 * verified by {@link VerifyRequest}: for every other request, and for one that is refused. Nothing is counted then.
 */
export type VerifyCached = (
  request: ResourceRequest,
  requirements?: RequestRequirements,
) => AcceptedRequest | undefined;

/** Verifies requests. */
export interface RequestVerifier {
  readonly verify: VerifyRequest;
  readonly verifyCached: VerifyCached;
}

const PROOF_STORE_PROBLEM: Problem = {
  reason: 'proof_store',
  message: 'no store can tell whether a DPoP proof was used',
};

const NO_REQUIREMENTS: RequestRequirements = {};

/** Creates the verifier: presented token, its state, the rules about it, its binding, and last the scope. */
export function requestVerifier(deps: RequestVerifierDeps): RequestVerifier {
  const { source, rules, counters, isDpopRequired, clock, monotonic } = deps;

  const refused = (refusal: Refusal): RefusedRequest => {
    counters.refused[refusal.reason] += 1;
    const { reason } = refusal;
    const needsNonce = reason === 'nonce' || reason === 'proof' || reason === 'replayed_proof';
    const nonce = needsNonce ? deps.nonces?.current() : undefined;
    return deps.refuse({ ...refusal, nonce });
  };

  const whyRefused = (presented: PresentedBinding) =>
    whyTokenRefused(presented.token, rules, nowSeconds(clock)) ??
    (isDpopRequired && presented.scheme !== 'DPoP' ? 'binding' : whyBindingRefused(presented));

  const checked = (
    presented: PresentedBinding,
    scope: string | undefined,
  ): Verification | Promise<Verification> => {
    const { scheme } = presented;
    const reason = whyRefused(presented);
    if (reason !== undefined) return refused({ reason, scheme, scope });
    return scheme === 'DPoP' ? proven(presented, scope) : permitted(presented, scope);
  };

  const proven = async (presented: PresentedBinding, scope: string | undefined): Promise<Verification> => {
    const reason = await whyProofRefused(deps.binding, presented);
    if (reason === 'unavailable') deps.onProblem(PROOF_STORE_PROBLEM);
    if (reason !== undefined) return refused({ reason, scheme: presented.scheme, scope });
    return permitted(presented, scope);
  };

  // A new object costs less than reading one that was stored with the token.
  const permitted = ({ scheme, token }: PresentedBinding, scope: string | undefined): Verification => {
    if (!hasScope(token, scope)) return refused({ reason: 'scope', scheme, scope });
    counters.accepted += 1;
    return { outcome: 'accepted', token };
  };

  const introspected = async (
    key: string,
    presented: Omit<PresentedBinding, 'token'>,
    scope: string | undefined,
  ): Promise<Verification> => {
    const { scheme, text } = presented;
    const found = await source.introspect(key, text);
    if (found.outcome === 'accepted') return checked({ ...presented, token: found.token }, scope);
    if (found.outcome === 'inactive') return refused({ reason: 'inactive', scheme, scope });
    const { retryAfterSeconds } = found.failure;
    return refused({ reason: 'unavailable', scheme, retryAfterSeconds });
  };

  const verifyCached: VerifyCached = (request, { scope } = NO_REQUIREMENTS) => {
    const presented = presentedToken(request);
    if (presented.kind !== 'token' || presented.scheme !== 'Bearer') return undefined;
    const { scheme, token: text } = presented;
    const token = source.cached(tokenKey(text), monotonic())?.token;
    if (token === undefined) return undefined;
    if (whyRefused({ request, scheme, text, token }) !== undefined || !hasScope(token, scope))
      return undefined;
    counters.cacheHits += 1;
    counters.accepted += 1;
    return { outcome: 'accepted', token };
  };

  const verify: VerifyRequest = async (request, { scope } = NO_REQUIREMENTS) => {
    const presented = presentedToken(request);
    if (presented.kind !== 'token') return refused({ ...withoutToken(presented), scope });
    const { scheme, token: text } = presented;
    // Without a proof the state of the token makes no difference.
    if (scheme === 'DPoP' && typeof request.header('dpop') !== 'string')
      return refused({ reason: 'proof', scheme, scope });
    const key = tokenKey(text);
    const cached = source.cached(key, monotonic());
    if (cached === undefined) return introspected(key, { request, scheme, text }, scope);
    counters.cacheHits += 1;
    return checked({ request, scheme, text, token: cached.token }, scope);
  };

  return { verify, verifyCached };
}

function withoutToken(presented: Exclude<PresentedToken, { kind: 'token' }>): Refusal {
  switch (presented.kind) {
    case 'none':
      return { reason: 'no_token' };
    case 'ambiguous':
      return { reason: 'ambiguous' };
    case 'malformed':
      return { reason: 'malformed', scheme: presented.scheme };
  }
}
