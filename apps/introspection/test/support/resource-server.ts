import type { AddressInfo } from 'node:net';
import type { Clock } from '@vestibule/protocol';
import {
  type ClientCredentials,
  createResourceServer,
  type Problem,
  type ResourceRequest,
  type ResourceServerOptions,
  type Verification,
} from '@vestibule/resource-server';
import { onTestFinished } from 'vitest';
import { ISSUER, SECRET, type TestService } from './test-service.js';

/** The identifier of the API of the tests. */
export const API = 'https://orders.example';

/** The credentials of the client `rs1`. */
export const CREDENTIALS = { method: 'client_secret_basic', clientId: 'rs1', clientSecret: SECRET } as const;

/** An API with the SDK, which introspects at a service of the test through a socket. */
export async function anApi(
  { app, clock }: Pick<TestService, 'app'> & { readonly clock: Clock },
  credentials: ClientCredentials = CREDENTIALS,
  deviation: Partial<ResourceServerOptions> = {},
) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const problems: Problem[] = [];
  const api = createResourceServer({
    issuer: ISSUER,
    introspectionEndpoint: `http://127.0.0.1:${port}/token/introspect`,
    resource: { identifier: API, audience: [API, credentials.clientId] },
    credentials,
    // A busy machine responds late.
    connection: { timeoutMs: 20_000 },
    clock,
    onProblem: (problem) => problems.push(problem),
    ...deviation,
  });
  onTestFinished(() => api.close());
  return {
    api,
    problems,
    port,
    /** Verifies a request with a bearer token; the outcome in short. */
    outcome: async (token: string, scope = 'read') =>
      inShort(await api.verify(requestWith({ authorization: `Bearer ${token}` }), { scope })),
  };
}

/** A request to the API. */
export function requestWith(headers: Readonly<Record<string, string>>): ResourceRequest {
  return { method: 'GET', url: '/orders/7', header: (name) => headers[name] };
}

/** The outcome in short. */
export function inShort(verification: Verification): string {
  if (verification.outcome === 'refused') return `${verification.status} ${verification.reason}`;
  return `accepted ${verification.token.subject}`;
}
