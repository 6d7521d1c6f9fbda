import { bareServer, constantWithHeaders, firstResponse, LIMIT } from '../targets/bare-servers.js';
import { checkRequest, forwardAuthService } from '../targets/forward-auth-service.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { apiTokens } from './resource-server.js';
import type { Comparison } from './workload.js';

const CONNECTIONS = 64;
const WORKLOADS = [
  { id: 'forward-auth-hot', title: 'forward authentication, one hot identifier-based token', tokens: 1 },
  { id: 'forward-auth-10k', title: 'forward authentication, 10,000 distinct live tokens', tokens: 10_000 },
] as const;
const LIMIT_REACH = 0.85;

/** Requests of gateways whether a request may pass, against a route that sends the same response as a constant. */
export function forwardAuthWorkloads(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): readonly Comparison[] {
  return WORKLOADS.map(({ id, title, tokens: count }) => ({
    kind: 'comparison',
    id,
    title,
    connections: CONNECTIONS,
    reach: [count === 1 ? { against: LIMIT, atLeast: LIMIT_REACH } : { against: LIMIT }],
    targets: async () => {
      const tokens = await apiTokens(fixture, { format: 'identifier', tokens: count });
      const ours = forwardAuthService(testEnvironment, fixture, tokens);
      const response = constantWithHeaders(await firstResponse(ours));
      const requests = tokens.tokens.map(({ token }) => checkRequest(token));
      return [bareServer(testEnvironment, LIMIT, { response, requests }), ours];
    },
  }));
}
