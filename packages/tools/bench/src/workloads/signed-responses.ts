import { bareServer, constantLike, firstResponse, LIMIT } from '../targets/bare-servers.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { introspectionRequest } from '../targets/introspection-traffic.js';
import { leastWorkName, leastWorkServer } from '../targets/least-work.js';
import { peerIntrospection, peerName } from '../targets/oidc-provider.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import { issueIdentifierTokens } from '../test-environment/issued-tokens.js';
import { registerResourceServer } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Comparison, Target } from './workload.js';

const MEDIA_TYPE = 'application/token-introspection+jwt';
/** Of the throughput of a bare route with one such signature. */
const LEAST_WORK_REACH = 0.9;
const CONNECTIONS = 64;

/** Enough that none is introspected twice within a second: no signature can be reused. */
const TOKENS = 25_000;
const PEER_TOKENS = 5_000;

/** With the least ratio to node-oidc-provider. */
const ALGORITHMS = [
  { algorithm: 'ES256', peer: 3 },
  { algorithm: 'RS256', peer: undefined },
] as const;

/** Introspection with a response that is signed for each request (RFC 9701). */
export function signedResponseWorkloads(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
): readonly Comparison[] {
  return ALGORITHMS.map(({ algorithm, peer }) => ({
    kind: 'comparison',
    id: `introspection-signed-${algorithm.toLowerCase()}`,
    title: `introspection, response signed for each request with ${algorithm}`,
    connections: CONNECTIONS,
    reach: [
      { against: LIMIT },
      { against: leastWorkName(`${algorithm} signature`), atLeast: LEAST_WORK_REACH },
      { against: peerName('Redis'), ...(peer !== undefined && { atLeast: peer }) },
    ],
    targets: () => targets(testEnvironment, fixture, algorithm),
  }));
}

async function targets(
  testEnvironment: TestEnvironment,
  fixture: IntrospectionFixture,
  algorithm: (typeof ALGORITHMS)[number]['algorithm'],
): Promise<readonly Target[] | string> {
  const installation = await fixture.installation();
  const { client_id: clientId, client_secret: clientSecret } = await registerResourceServer(
    installation,
    algorithm,
  );
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret, accept: MEDIA_TYPE };
  const tokens = await issueIdentifierTokens(installation, clientId, TOKENS);
  const ours = introspectionService(testEnvironment, installation, { caller, tokens, tokenReads: 'cached' });
  const response = await firstResponse(ours);
  if (signatureAlgorithm(response.body) !== algorithm)
    return 'not available yet: the response has no such signature';
  const requests = tokens.map(({ token }) => introspectionRequest(caller, token));
  const constant = { response: constantLike(response), requests };
  return [
    bareServer(testEnvironment, LIMIT, constant),
    ours,
    leastWorkServer(testEnvironment, { ...constant, work: `${algorithm} signature`, installation }),
    peerIntrospection(testEnvironment, {
      storage: 'Redis',
      count: PEER_TOKENS,
      accept: MEDIA_TYPE,
      signedResponseAlgorithm: algorithm,
    }),
  ];
}

function signatureAlgorithm(text: string): unknown {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return undefined;
  const header: unknown = JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString());
  return typeof header === 'object' && header !== null && 'alg' in header ? header.alg : undefined;
}
