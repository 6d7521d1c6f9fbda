import { IntrospectionSettings } from '@vestibule/introspection';
import { BARE_HTTP, bareServer, constantLike, firstResponse, LIMIT } from '../targets/bare-servers.js';
import { configuredIntrospection } from '../targets/configured-servers.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { introspectionRequest } from '../targets/introspection-traffic.js';
import { type LeastWork, leastWorkName, leastWorkServer } from '../targets/least-work.js';
import { type PeerStorage, peerIntrospection, peerName } from '../targets/oidc-provider.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { IssuedToken } from '../test-environment/issued-token.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Comparison, Target } from './workload.js';

/** One workload on introspection with a JSON response. */
interface JsonWorkload {
  readonly id: string;
  readonly title: string;
  /** Least ratio to the limit; not where other work is indispensable. */
  readonly limit?: number;
  /** Least ratio to node-oidc-provider on Redis, where it supports the same. */
  readonly peer?: number;
  /** The indispensable work of this kind of response, and the least ratio to a bare route that does it. */
  readonly leastWork?: { readonly work: LeastWork; readonly atLeast?: number };
  readonly tokens: (fixture: IntrospectionFixture, seconds: number) => Promise<readonly IssuedToken[]>;
  readonly tokenReads?: 'cached' | 'first';
  readonly settings?: Readonly<Record<string, string>>;
  readonly also?: readonly (PeerStorage | typeof BARE_HTTP)[];
}

/** The setting that bounds the in-process cache; this value disables it. */
const WITHOUT_IN_PROCESS_LEVEL = { INTROSPECTION_CACHE_ENTRIES: '0' };

/**
 * So few that nearly every response comes from Redis, although each entry is read from the store again every five
 * seconds.
 */
const REDIS_TOKENS = 1_000;

/** More than a service can look up or verify for the first time in a second, on one core. */
const FIRST_READS_PER_SECOND = { identifier: 30_000, jwt: 16_000 };
const CONNECTIONS = 64;
const PEER_REACH = 9;
/** Of a bare route that reads the same from the same store. */
const READ_REACH = 0.95;
/** node-oidc-provider keeps at most a thousand entries in memory. */
const PEER_MEMORY_TOKENS = 500;
const PEER_REDIS_TOKENS = 10_000;

const WORKLOADS: readonly JsonWorkload[] = [
  {
    id: 'introspection-hot',
    title: 'introspection, one hot identifier-based token',
    limit: 1,
    peer: PEER_REACH,
    tokens: (fixture) => fixture.identifierTokens(1),
    also: [BARE_HTTP, 'memory', 'Redis'],
  },
  {
    id: 'introspection-10k',
    title: 'introspection, 10,000 distinct live tokens',
    limit: 0.9,
    peer: PEER_REACH,
    tokens: (fixture) => fixture.identifierTokens(10_000),
    also: ['Redis'],
  },
  {
    id: 'introspection-100k',
    title: 'introspection, 100,000 distinct live tokens',
    limit: 0.8,
    tokens: (fixture) => fixture.identifierTokens(100_000),
  },
  {
    id: 'introspection-redis',
    title: 'introspection, in-process level off, every response from Redis',
    leastWork: { work: 'GET', atLeast: READ_REACH },
    tokens: (fixture) => fixture.identifierTokens(REDIS_TOKENS),
    settings: WITHOUT_IN_PROCESS_LEVEL,
  },
  {
    id: 'introspection-first',
    title: 'introspection, first read of every token, from Postgres',
    leastWork: { work: 'SELECT', atLeast: READ_REACH },
    tokens: (fixture, seconds) => fixture.identifierTokens(seconds * FIRST_READS_PER_SECOND.identifier),
    tokenReads: 'first',
  },
  {
    id: 'introspection-jwt-10k',
    title: 'introspection, 10,000 distinct JWT access tokens (ES256)',
    limit: 0.75,
    tokens: (fixture) => fixture.jwtTokens(10_000),
  },
  {
    id: 'introspection-jwt-first',
    title: 'introspection, first read of every JWT access token (ES256)',
    limit: 0.17,
    leastWork: { work: 'ES256 verification' },
    tokens: (fixture, seconds) => fixture.jwtTokens(seconds * FIRST_READS_PER_SECOND.jwt),
    tokenReads: 'first',
  },
];

/** Introspection with a JSON response, by a resource server that authenticates with client_secret_basic. */
export function introspectionWorkloads(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): readonly Comparison[] {
  return WORKLOADS.map((workload) => ({
    kind: 'comparison',
    id: workload.id,
    title: workload.title,
    connections: CONNECTIONS,
    reach: [
      reach(LIMIT, workload.limit),
      ...leastWorkReach(workload),
      ...(workload.peer === undefined ? [] : [{ against: peerName('Redis'), atLeast: workload.peer }]),
    ],
    targets: () => targets(testEnvironment, fixture, workload),
  }));
}

function reach(against: string, atLeast: number | undefined) {
  return { against, ...(atLeast !== undefined && { atLeast }) };
}

function leastWorkReach({ leastWork }: JsonWorkload) {
  return leastWork === undefined ? [] : [reach(leastWorkName(leastWork.work), leastWork.atLeast)];
}

async function targets(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
  { tokens: obtain, tokenReads = 'cached', settings = {}, leastWork, also = [] }: JsonWorkload,
): Promise<readonly Target[] | string> {
  const missing = Object.keys(settings).find((name) => !(name in IntrospectionSettings.properties));
  if (missing !== undefined) return `not available yet: the setting ${missing} does not exist`;
  const installation = await fixture.installation();
  const { client_id: clientId, client_secret: clientSecret } = await fixture.resourceServer();
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
  const tokens = await obtain(fixture, testEnvironment.effort.seconds + testEnvironment.effort.warmSeconds);
  const ours = introspectionService(testEnvironment, installation, { caller, tokens, tokenReads, settings });
  const constant = {
    response: constantLike(await firstResponse(ours)),
    requests: tokens.map(({ token }) => introspectionRequest(caller, token)),
  };
  return [
    bareServer(testEnvironment, LIMIT, constant),
    ours,
    ...(leastWork === undefined
      ? []
      : [leastWorkServer(testEnvironment, { ...constant, work: leastWork.work, installation })]),
    ...also.map((name) =>
      name === BARE_HTTP
        ? bareServer(testEnvironment, BARE_HTTP, constant)
        : peerIntrospection(testEnvironment, { storage: name, count: peerTokens(name, tokens.length) }),
    ),
    ...(tokenReads === 'cached'
      ? testEnvironment.others.map((server) => configuredIntrospection(server, tokens.length))
      : []),
  ];
}

function peerTokens(storage: PeerStorage, count: number): number {
  return Math.min(count, storage === 'memory' ? PEER_MEMORY_TOKENS : PEER_REDIS_TOKENS);
}
