import { type Freshness, lifetimeFreshness } from './changes/freshness.js';
import { streamFreshness } from './changes/stream-freshness.js';
import type { DpopNonces } from './dpop/dpop-nonces.js';
import { memoryProofReplays } from './dpop/proof-replays.js';
import { type HttpClient, httpClient } from './http/http-client.js';
import { type ClientAuthentication, clientAuthentication } from './introspection/client-credentials.js';
import { discoveredEndpoints, type ServerEndpoints } from './introspection/discovery.js';
import { type Introspect, introspectionClient } from './introspection/introspection-client.js';
import { signedResponseVerifier } from './introspection/signed-responses.js';
import { tokenMemory } from './memory/token-memory.js';
import {
  type ProtectedResourceMetadata,
  protectedResourceMetadata,
} from './metadata/protected-resource-metadata.js';
import { zeroCounters } from './observability/counters.js';
import { type ExplainToken, tokenExplainer } from './observability/explain.js';
import { type ResourceServerMetrics, resourceServerMetrics } from './observability/metrics.js';
import { guarded, processWarnings } from './observability/problems.js';
import type { Problem, ResourceServerOptions } from './options.js';
import { checkedSettings, type Settings } from './settings.js';
import { tokenSource } from './token-source.js';
import { refusals } from './verification/refusals.js';
import { requestVerifier, type VerifyRequest } from './verify-request.js';

/** Verifies the access tokens of an API. Safe for any number of parallel requests. */
export interface ResourceServer {
  /**
   * Verifies a request: its access token is active, for this API, bound to what the request proves, and has the required
   * scope. Never rejects; if this cannot be determined, the request is refused with 503.
   */
  readonly verify: VerifyRequest;
  /** Explains to operators why a token is accepted or refused. Never prints the token. */
  readonly explain: ExplainToken;
  readonly metrics: ResourceServerMetrics;
  /** Returns the protected resource metadata of the API (RFC 9728). */
  metadata(): ProtectedResourceMetadata;
  /** The nonces of the API for DPoP proofs; `undefined` if none are required. */
  readonly dpopNonces: DpopNonces | undefined;
  /** Closes all connections. Requests that would need one are refused with 503. */
  close(): void;
}

const MAX_PROOFS = 500_000;

/**
 * Creates a resource server. Without `changes`, nothing is sent before the first request.
 * @throws TypeError that names the first option that cannot be used
 */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const settings = checkedSettings(options);
  const { clock, monotonic } = settings;
  const { dpop = {} } = options;
  const onProblem = guarded(options.onProblem ?? processWarnings(monotonic));
  const authorizationServer = connectTo(options, settings);
  const counters = zeroCounters();
  const freshness = freshnessOf(options, settings, authorizationServer, onProblem);
  const memory = tokenMemory(settings, freshness);
  const metadata = protectedResourceMetadata(options, settings);
  const ask = introspection(options, settings, authorizationServer);
  const source = tokenSource({ ask, memory, counters, monotonic, onProblem });
  const isDpopRequired = dpop.isRequired ?? false;
  const verify = requestVerifier({
    source,
    rules: settings.rules,
    binding: {
      algorithms: settings.dpopAlgorithms,
      replays: dpop.replays ?? memoryProofReplays({ clock, maxEntries: MAX_PROOFS }),
      nonces: dpop.nonces,
      baseUrl: settings.baseUrl,
      clock,
    },
    nonces: dpop.nonces,
    isDpopRequired,
    refuse: refusals({
      metadataUrl: settings.metadataUrl,
      dpopAlgorithms: settings.dpopAlgorithms,
      isDpopRequired,
    }),
    counters,
    onProblem,
    clock,
    monotonic,
  });
  const { changes } = freshness;
  return {
    verify,
    explain: tokenExplainer({ source, rules: settings.rules, isDpopRequired, clock, monotonic }),
    metrics: resourceServerMetrics({ counters, memory, changes }),
    metadata: () => metadata,
    dpopNonces: dpop.nonces,
    close: () => {
      freshness.close();
      authorizationServer.http.close();
    },
  };
}

/** The authorization server: connections, endpoints, and the authentication at them. */
interface AuthorizationServer {
  readonly http: HttpClient;
  readonly endpoints: ServerEndpoints;
  readonly introspectionEndpoint: () => Promise<URL>;
  readonly authentication: ClientAuthentication;
}

function connectTo(
  { connection = {}, credentials }: ResourceServerOptions,
  settings: Settings,
): AuthorizationServer {
  const http = httpClient(connection.tls ?? {});
  const endpoints = discoveredEndpoints({ ...settings, http });
  return {
    http,
    endpoints,
    introspectionEndpoint: async () =>
      settings.introspectionEndpoint ?? endpoints.url('introspection_endpoint'),
    authentication: clientAuthentication(credentials, settings),
  };
}

function freshnessOf(
  { credentials }: ResourceServerOptions,
  settings: Settings,
  authorizationServer: AuthorizationServer,
  onProblem: (problem: Problem) => void,
): Freshness {
  const { changesEndpoint: url, monotonic, timeoutMs } = settings;
  if (url === undefined) return lifetimeFreshness(settings.lifetimeMs);
  return streamFreshness({
    ...authorizationServer,
    url,
    credentials,
    monotonic,
    timeoutMs,
    onProblem: (message) => onProblem({ reason: 'changes', message }),
  });
}

function introspection(
  { credentials, signedResponses }: ResourceServerOptions,
  settings: Settings,
  { http, endpoints, introspectionEndpoint, authentication }: AuthorizationServer,
): Introspect {
  const { issuer, jwksUri, clock, monotonic, timeoutMs } = settings;
  return introspectionClient({
    http,
    endpoint: introspectionEndpoint,
    authentication,
    signed:
      signedResponses &&
      signedResponseVerifier({
        http,
        keySet: async () => jwksUri ?? endpoints.url('jwks_uri'),
        algorithms: signedResponses.algorithms,
        issuer,
        clientId: credentials.clientId,
        clock,
        monotonic,
        timeoutMs,
      }),
    wantsTags: settings.changesEndpoint !== undefined,
    monotonic,
    timeoutMs,
  });
}
