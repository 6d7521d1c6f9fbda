import {
  BARE_EXPRESS,
  bareServer,
  constantWithHeaders,
  firstResponse,
  LIMIT,
} from '../targets/bare-servers.js';
import {
  type ApiTokens,
  apacheApis,
  apiRequest,
  askingApi,
  expressApi,
  fastifyApi,
  nginxApis,
  type ProtectedApi,
  protectedApi,
  validatingApi,
} from '../targets/protected-api.js';
import type { IntrospectionFixture, TokenFormat } from '../test-environment/introspection-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { memoryAfterLoad } from './process-figures.js';
import type { Comparison, Figure, FigureWorkload, Target } from './workload.js';

const CONNECTIONS = 64;
const TOKENS = 10_000;
const UNKNOWN_TOKEN = 'x'.repeat(43);

/** Of APIs on one framework that check the access token of each request. */
interface ApiWorkload {
  readonly id: string;
  readonly title: string;
  readonly limit: typeof LIMIT | typeof BARE_EXPRESS;
  readonly format: TokenFormat;
  readonly tokens: number;
  /** The first one is ours. */
  readonly apis: (testEnvironment: TestEnvironment) => readonly [ProtectedApi, ...ProtectedApi[]];
}

/** APIs that learn of revocations from the authorization server, on Fastify where they are ours. */
function introspectingApis(testEnvironment: TestEnvironment): readonly [ProtectedApi, ...ProtectedApi[]] {
  return [
    fastifyApi(testEnvironment),
    askingApi(testEnvironment, 'openid-client'),
    askingApi(testEnvironment, 'oauth4webapi'),
    ...nginxApis(testEnvironment),
  ];
}

const WORKLOADS: readonly ApiWorkload[] = [
  {
    id: 'resource-server-hot',
    title: 'an API that checks the token of each request, one hot identifier-based token',
    limit: LIMIT,
    format: 'identifier',
    tokens: 1,
    apis: (testEnvironment) => [...introspectingApis(testEnvironment), ...apacheApis(testEnvironment)],
  },
  {
    id: 'resource-server-10k',
    title: 'an API that checks the token of each request, 10,000 distinct live tokens',
    limit: LIMIT,
    format: 'identifier',
    tokens: TOKENS,
    apis: introspectingApis,
  },
  {
    id: 'resource-server-express',
    title:
      'an API on Express that checks the token of each request, 10,000 distinct JWT access tokens (ES256)',
    limit: BARE_EXPRESS,
    format: 'jwt',
    tokens: TOKENS,
    apis: (testEnvironment) => [expressApi(testEnvironment), validatingApi(testEnvironment)],
  },
];

/** APIs that check the access token of each request, against a route without a check. */
export function resourceServerWorkloads(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): readonly Comparison[] {
  return WORKLOADS.map((workload) => ({
    kind: 'comparison',
    id: workload.id,
    title: workload.title,
    connections: CONNECTIONS,
    reach: [],
    targets: () => targets(testEnvironment, fixture, workload),
  }));
}

async function targets(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
  workload: ApiWorkload,
): Promise<readonly Target[]> {
  const tokens = await apiTokens(fixture, workload);
  const [ours, ...peers] = workload
    .apis(testEnvironment)
    .map((api) => protectedApi(testEnvironment, fixture, api, tokens));
  if (ours === undefined) throw new RangeError('there is no API');
  const response = constantWithHeaders(await firstResponse(ours));
  const requests = tokens.tokens.map(({ token }) => apiRequest(token));
  return [bareServer(testEnvironment, workload.limit, { response, requests }), ours, ...peers];
}

/** Live tokens, and some that an API must refuse. */
export async function apiTokens(
  fixture: IntrospectionFixture,
  { format, tokens: count }: Pick<ApiWorkload, 'format' | 'tokens'>,
): Promise<ApiTokens> {
  const tokens = await (format === 'jwt' ? fixture.jwtTokens : fixture.identifierTokens)(count);
  const { token: revoked } = await fixture.revokedToken(format);
  return { tokens, revoked, unknown: format === 'jwt' ? forged(tokens[0]?.token) : UNKNOWN_TOKEN };
}

/** A JWT with another signature. */
function forged(token = ''): string {
  return token.slice(0, token.lastIndexOf('.') + 1) + UNKNOWN_TOKEN.repeat(2);
}

/** The memory of APIs after a load. */
export function resourceServerMemoryWorkload(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'resource-server-memory',
    title: 'resident memory of an API after load, 10,000 distinct live tokens',
    measure: async () => {
      const tokens = await apiTokens(fixture, { format: 'identifier', tokens: TOKENS });
      const figures: Figure[] = [];
      for (const api of introspectingApis(testEnvironment)) {
        const target = protectedApi(testEnvironment, fixture, api, tokens);
        const values: number[] = [];
        for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
          values.push(await memoryAfterLoad(testEnvironment, target));
        figures.push({ name: api.name, values, unit: 'MB' });
      }
      return figures;
    },
  };
}
