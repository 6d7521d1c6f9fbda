import type { Clock } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { DpopNonces } from './dpop/dpop-nonces.js';
import type { ProofReplays } from './dpop/proof-replays.js';
import type { TlsSettings } from './http/http-client.js';
import type { ClientCredentials } from './introspection/client-credentials.js';
import type { IntrospectionFailureReason } from './introspection/introspection-failure.js';

/** The API that is protected. */
export interface ProtectedResource {
  /** Its resource identifier: an https URL without fragment (RFC 8707 section 2, RFC 9728 section 1.2). */
  readonly identifier: string;
  /**
   * Values of `aud`, one of which every token must have; a slash at the end makes no difference. Default: `identifier`.
   * `unchecked` accepts tokens for other APIs too, and is only right if the introspection endpoint compares the audience
   * with the caller.
   */
  readonly audience?: readonly string[] | 'unchecked';
  /** URL at which clients see the root of the application, for `htu` of DPoP proofs. Default: origin of `identifier`. */
  readonly baseUrl?: string;
  /** Scope values of the API, for its metadata. */
  readonly scopes?: readonly string[];
  /** Name of the API for end-users, for its metadata. */
  readonly name?: string;
  /** URL of the documentation for developers, for its metadata. */
  readonly documentation?: string;
}

/** How DPoP proofs are checked (RFC 9449). */
export interface DpopOptions {
  /** Accept only tokens that are bound to a DPoP key. Default: false. */
  readonly isRequired?: boolean;
  /** Accepted algorithms. Default: ES256, ES384, EdDSA, Ed25519, PS256, RS256. */
  readonly algorithms?: readonly AsymmetricAlgorithm[];
  /** Store of used proofs. Default: the memory of this process, for 500,000 proofs. */
  readonly replays?: ProofReplays;
  /** Require proofs with a nonce of this API. Default: none. */
  readonly nonces?: DpopNonces;
}

/** How tokens are cached. */
export interface CacheOptions {
  /**
   * How long a response is used after its request was sent. Default 0: each request is introspected. A token that is
   * revoked is accepted until then. Not used together with `changes`.
   */
  readonly lifetimeSeconds?: number;
  /** Default 100,000 tokens. */
  readonly maxEntries?: number;
  /** Default 100,000,000 bytes, estimated. */
  readonly maxBytes?: number;
}

/** The stream of changes of the authorization server. */
export interface ChangesOptions {
  /** Address of the stream. Default: the issuer with `/token/changes`. */
  readonly endpoint?: string;
}

/** Introspection responses that are signed (RFC 9701). */
export interface SignedResponseOptions {
  /** Accepted algorithms. */
  readonly algorithms: readonly AsymmetricAlgorithm[];
  /** Key set of the issuer. Default: `jwks_uri` of its metadata. */
  readonly jwksUri?: string;
}

/** Connections to the authorization server. */
export interface ConnectionOptions {
  /** Time limit of one attempt, in milliseconds; there are two at most. Default 1,000. */
  readonly timeoutMs?: number;
  /** Concurrent introspection requests, each on its own connection. Further ones wait. Default 64. */
  readonly maxConcurrent?: number;
  /** Introspection requests that may wait for a connection; further ones are refused. Default 10,000. */
  readonly maxWaiting?: number;
  /** Hosts, as `host` or `host:port`, that may be reached over http. Loopback always may. */
  readonly allowedHosts?: readonly string[];
  readonly tls?: TlsSettings;
}

/** Something that an operator must know. */
export interface Problem {
  readonly reason: IntrospectionFailureReason | 'changes' | 'proof_store';
  /** A sentence without token and secret. */
  readonly message: string;
}

/** Options of {@link createResourceServer}. */
export interface ResourceServerOptions {
  /** Issuer identifier of the authorization server. */
  readonly issuer: string;
  readonly resource: ProtectedResource;
  readonly credentials: ClientCredentials;
  /** Default: `introspection_endpoint` of the metadata of the issuer. */
  readonly introspectionEndpoint?: string;
  /** Default: responses are not signed. */
  readonly signedResponses?: SignedResponseOptions;
  /**
   * Follow the stream of changes: active tokens are cached, and discarded when they change. Default: not followed.
   */
  readonly changes?: ChangesOptions;
  readonly cache?: CacheOptions;
  readonly dpop?: DpopOptions;
  readonly connection?: ConnectionOptions;
  /** Tolerated difference of clocks for `exp` and `nbf`. Default 0. */
  readonly clockSkewSeconds?: number;
  /** Default: a warning of the process, at most one per reason in ten seconds. */
  readonly onProblem?: (problem: Problem) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: the clock of the process that never goes back, with the time for which the machine was suspended. */
  readonly monotonic?: MonotonicClock;
}
