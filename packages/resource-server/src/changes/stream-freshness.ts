import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { HttpClient } from '../http/http-client.js';
import type { ClientAuthentication, ClientCredentials } from '../introspection/client-credentials.js';
import type { ServerEndpoints } from '../introspection/discovery.js';
import { ownAccessToken } from '../introspection/own-access-token.js';
import { changeTracker } from './change-tracker.js';
import { followChanges, type StreamRequest } from './follow-changes.js';
import type { Freshness } from './freshness.js';

/** Dependencies of {@link streamFreshness}. */
export interface StreamFreshnessDeps {
  readonly http: HttpClient;
  /** Address of the stream. */
  readonly url: URL;
  readonly credentials: ClientCredentials;
  readonly authentication: ClientAuthentication;
  readonly endpoints: ServerEndpoints;
  readonly introspectionEndpoint: () => Promise<URL>;
  readonly monotonic: MonotonicClock;
  readonly timeoutMs: number;
  readonly onProblem: (message: string) => void;
}

/** Follows the stream of changes from now on. */
export function streamFreshness(deps: StreamFreshnessDeps): Freshness {
  const { monotonic } = deps;
  const tracker = changeTracker(monotonic);
  const stream = followChanges({ ...deps, tracker, request: streamRequests(deps) });
  const changes = {
    isConnected: stream.isConnected,
    connections: stream.connections,
    discards: tracker.discards,
    watermarkAgeMs: () => monotonic() - tracker.watermarkMs(),
  };
  return { ...tracker, changes, close: stream.close };
}

/**
 * Authenticates the requests for the stream. They have no body, so a client with a secret in the form, or with an
 * assertion, gets an access token for the introspection endpoint first.
 */
function streamRequests(deps: StreamFreshnessDeps): (isRefused: boolean) => Promise<StreamRequest> {
  const { url, credentials, authentication, endpoints, introspectionEndpoint } = deps;
  switch (credentials.method) {
    case 'client_secret_basic':
    case 'access_token':
      return async () => ({ url, ...(await authentication()) });
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth': {
      const named = new URL(url);
      named.searchParams.set('client_id', credentials.clientId);
      return async () => ({ url: named });
    }
    case 'client_secret_post':
    case 'private_key_jwt': {
      const token = ownAccessToken({
        ...deps,
        endpoint: () => endpoints.url('token_endpoint'),
        scope: async () => String(await introspectionEndpoint()),
      });
      return async (isRefused) => {
        if (isRefused) token.forget();
        return { url, authorization: `Bearer ${await token.get()}` };
      };
    }
  }
}
