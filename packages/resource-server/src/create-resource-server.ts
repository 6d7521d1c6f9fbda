import { nodeScheduler } from '@vestibule/protocol/runtime';
import { tokenCache } from './cache/token-cache.js';
import { type Freshness, lifetimeFreshness } from './changes/freshness.js';
import { streamFreshness } from './changes/stream-freshness.js';
import { memoryProofReplays } from './dpop/proof-replays.js';
import { type HttpClient, httpClient } from './http/http-client.js';
import { type ClientAuthentication, clientAuthentication } from './introspection/client-credentials.js';
import { discoveredEndpoints, type ServerEndpoints } from './introspection/discovery.js';
import { type Introspect, introspectionClient } from './introspection/introspection-client.js';
import { requestSlots } from './introspection/request-slots.js';
import { signedResponseVerifier } from './introspection/signed-responses.js';
import { zeroCounters } from './observability/counters.js';
import { type ResourceServerMetrics, resourceServerMetrics } from './observability/metrics.js';
import { guarded, processWarnings } from './observability/problems.js';
import type { DpopOptions, Problem, ProtectedResource, ResourceServerOptions } from './options.js';
import { type ResourceVerifier, resourceVerifier } from './resource-verifier.js';
import { checkedResource, checkedSettings, type Settings } from './settings.js';
import { tokenSource } from './token-source.js';

/**
 * Verifies the access tokens of an API, and of further ones with the same connections, stream of changes and cache.
 */
export interface ResourceServer extends ResourceVerifier {
  /**
   * Creates the verifier of another API, whose requests are counted together.
   * @param dpop default: as for the API of the options. Used proofs are kept in one memory, unless it has a store.
   * @throws TypeError that names the first option that cannot be used
   */
  forResource(resource: ProtectedResource, dpop?: DpopOptions): ResourceVerifier;
  readonly metrics: ResourceServerMetrics;
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
  const checked = checkedResource(options, settings);
  const { clock, monotonic } = settings;
  const onProblem = guarded(options.onProblem ?? processWarnings(monotonic));
  const authorizationServer = connectTo(options, settings);
  const counters = zeroCounters();
  const freshness = freshnessOf(options, settings, authorizationServer, onProblem);
  const cache = tokenCache(settings, freshness);
  const ask = introspection(options, settings, authorizationServer);
  const source = tokenSource({ ask, cache, counters, monotonic, onProblem });
  const replays = memoryProofReplays({ clock, maxEntries: MAX_PROOFS });
  const shared = { settings, source, replays, counters, onProblem };
  const { changes } = freshness;
  return {
    ...resourceVerifier(shared, options, checked),
    forResource: (resource, dpop = options.dpop) => {
      const api = { resource, ...(dpop !== undefined && { dpop }) };
      return resourceVerifier(shared, api, checkedResource(api, settings));
    },
    metrics: resourceServerMetrics({ counters, cache, changes }),
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
  const { issuer, jwksUri, clock, monotonic, timeoutMs, maxConcurrent, maxWaiting } = settings;
  const limits = { maxConcurrent, maxWaiting, maxWaitMs: timeoutMs };
  return introspectionClient({
    http,
    slots: requestSlots(limits, nodeScheduler),
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
    scheduler: nodeScheduler,
    timeoutMs,
  });
}
