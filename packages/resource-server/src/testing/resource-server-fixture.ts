import { frozenClock } from '@vestibule/protocol/testing';
import { onTestFinished } from 'vitest';
import { createResourceServer } from '../create-resource-server.js';
import type { Problem, ResourceServerOptions } from '../options.js';
import type { ResourceRequest } from '../request/resource-request.js';
import type { Verification } from '../verification/verification.js';

/** Identifier of the API of the tests. */
export const RESOURCE = 'https://api.example/orders';

/** A syntactically valid token. */
export const TOKEN = 'u7KcX1bWf0Qm4vT8yLx2q4uPexR2mC5sYw7aHd1fGj';

/** Credentials of the API of the tests. */
export const CREDENTIALS = {
  method: 'client_secret_basic',
  clientId: 'rs1',
  clientSecret: 'Zk3TqN8vXc1RbYw5LmPd7HsJf0GaUe2CiOo9tVxBnQr',
} as const;

/**
 * Creates a resource server whose authorization server is at `url`, with a frozen clock and a list of its problems. It
 * knows the introspection endpoint, unless that is to be discovered.
 */
export function aResourceServer(url: string, deviation: Partial<ResourceServerOptions> | 'discovered' = {}) {
  const clock = frozenClock();
  const monotonic = { nowMs: 1_000 };
  const problems: Problem[] = [];
  const server = createResourceServer({
    issuer: url,
    resource: { identifier: RESOURCE },
    credentials: CREDENTIALS,
    // A busy machine responds late.
    connection: { timeoutMs: 20_000 },
    clock,
    monotonic: () => monotonic.nowMs,
    onProblem: (problem) => problems.push(problem),
    ...(deviation !== 'discovered' && { introspectionEndpoint: `${url}/token/introspect`, ...deviation }),
  });
  onTestFinished(() => server.close());
  return { server, clock, monotonic, problems };
}

/** A request with given headers. */
export function aRequest(
  headers: Readonly<Record<string, string | readonly string[]>>,
  deviation: Partial<ResourceRequest> = {},
): ResourceRequest {
  return { method: 'GET', url: '/orders/7?full', header: (name) => headers[name], ...deviation };
}

/** A request with a bearer token. */
export function bearer(token: string = TOKEN): ResourceRequest {
  return aRequest({ authorization: `Bearer ${token}` });
}

/** Members of an active response for the API of the tests. */
export function active(members: Readonly<Record<string, unknown>> = {}) {
  return { active: true, scope: 'orders:read', sub: 'alice', client_id: 'app', aud: [RESOURCE], ...members };
}

/** The outcome in short: `accepted`, or status and reason. */
export function summary(verification: Verification): string {
  return verification.outcome === 'accepted' ? 'accepted' : `${verification.status} ${verification.reason}`;
}
