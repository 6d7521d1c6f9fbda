import type { DpopNonces } from './dpop/dpop-nonces.js';
import type { ProofReplays } from './dpop/proof-replays.js';
import {
  type ProtectedResourceMetadata,
  protectedResourceMetadata,
} from './metadata/protected-resource-metadata.js';
import type { Counters } from './observability/counters.js';
import { type ExplainToken, tokenExplainer } from './observability/explain.js';
import type { Problem, ResourceServerOptions } from './options.js';
import type { ResourceSettings, Settings } from './settings.js';
import type { TokenSource } from './token-source.js';
import { refusals } from './verification/refusals.js';
import { requestVerifier, type VerifyCached, type VerifyRequest } from './verify-request.js';

/** Verifies the access tokens of one API. Safe for any number of parallel requests. */
export interface ResourceVerifier {
  /**
   * Verifies a request: its access token is active, for this API, bound to what the request proves, and has the required
   * scope. Never rejects; if this cannot be determined, the request is refused with 503.
   */
  readonly verify: VerifyRequest;
  /**
   * Verifies a request with a cached bearer token, without waiting, for servers to which a promise is too slow. Returns
   * `undefined` where {@link verify} must be asked.
   */
  readonly verifyCached: VerifyCached;
  /** Explains to operators why a token is accepted or refused. Never prints the token. */
  readonly explain: ExplainToken;
  /** Returns the protected resource metadata of the API (RFC 9728). */
  metadata(): ProtectedResourceMetadata;
  /** The nonces of the API for DPoP proofs; `undefined` if none are required. */
  readonly dpopNonces: DpopNonces | undefined;
}

/** What the APIs of a resource server share. */
export interface SharedParts {
  readonly settings: Settings;
  readonly source: TokenSource;
  /** Used proofs of APIs without a store of their own. */
  readonly replays: ProofReplays;
  readonly counters: Counters;
  readonly onProblem: (problem: Problem) => void;
}

/** Creates the verifier of an API with checked options. */
export function resourceVerifier(
  { settings, source, replays, counters, onProblem }: SharedParts,
  { resource, dpop = {} }: Pick<ResourceServerOptions, 'resource' | 'dpop'>,
  checked: ResourceSettings,
): ResourceVerifier {
  const { issuer, clock, monotonic } = settings;
  const { baseUrl, metadataUrl, rules, dpopAlgorithms } = checked;
  const { isRequired: isDpopRequired = false, nonces } = dpop;
  const metadata = protectedResourceMetadata({ issuer, resource, dpop }, checked);
  const { verify, verifyCached } = requestVerifier({
    source,
    rules,
    binding: { algorithms: dpopAlgorithms, replays: dpop.replays ?? replays, nonces, baseUrl, clock },
    nonces,
    isDpopRequired,
    refuse: refusals({ metadataUrl, dpopAlgorithms, isDpopRequired }),
    counters,
    onProblem,
    clock,
    monotonic,
  });
  return {
    verify,
    verifyCached,
    explain: tokenExplainer({ source, rules, isDpopRequired, clock, monotonic }),
    metadata: () => metadata,
    dpopNonces: nonces,
  };
}
