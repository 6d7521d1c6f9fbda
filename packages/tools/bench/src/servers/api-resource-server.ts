import { createResourceServer, type ResourceServer } from '@vestibule/resource-server';
import type { TokenRequirements } from './api-configuration.js';

/** The resource server of an API that follows the stream of changes. */
export function apiResourceServer(requirements: TokenRequirements): ResourceServer {
  const { issuer, introspectionEndpoint, changesEndpoint, clientId, clientSecret, audience } = requirements;
  return createResourceServer({
    issuer,
    introspectionEndpoint,
    changes: { endpoint: changesEndpoint },
    // The machine may be busy.
    connection: { timeoutMs: 10_000 },
    credentials: { method: 'client_secret_basic', clientId, clientSecret },
    resource: { identifier: 'https://orders.example', audience: [audience] },
  });
}
