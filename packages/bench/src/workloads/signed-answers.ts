import { bareServer, constantLike, firstAnswer, LIMIT } from '../contestants/bare-servers.js';
import { INTROSPECTION_PATH, introspectionService } from '../contestants/introspection-service.js';
import { introspectionRequest } from '../contestants/introspection-traffic.js';
import { leastWorkName, leastWorkServer } from '../contestants/least-work.js';
import { peerIntrospection, peerName } from '../contestants/oidc-provider.js';
import type { IntrospectionScene } from '../stage/introspection-scene.js';
import { issueIdentifierTokens } from '../stage/issued-tokens.js';
import { registerResourceServer } from '../stage/registered-client.js';
import type { Stage } from '../stage/stage.js';
import type { Comparison, Contestant } from './workload.js';

const MEDIA_TYPE = 'application/token-introspection+jwt';
const PEER_REACH = 3.5;
const CONNECTIONS = 64;

/** So many that none is asked about twice within a second: no signature can be used again. */
const TOKENS = 25_000;
const PEER_TOKENS = 5_000;

const ALGORITHMS = [
  { algorithm: 'ES256', limit: 0.28 },
  { algorithm: 'RS256', limit: 0.055 },
] as const;

/** Introspection with an answer that is signed afresh each time (RFC 9701). */
export function signedAnswerWorkloads(stage: Stage, scene: IntrospectionScene): readonly Comparison[] {
  return ALGORITHMS.map(({ algorithm, limit }) => ({
    kind: 'comparison',
    id: `introspection-signed-${algorithm.toLowerCase()}`,
    title: `introspection, answer signed afresh each time with ${algorithm}`,
    connections: CONNECTIONS,
    reach: [
      { against: LIMIT, atLeast: limit },
      { against: leastWorkName(`${algorithm} signature`) },
      { against: peerName('Redis'), atLeast: PEER_REACH },
    ],
    contestants: () => contestants(stage, scene, algorithm),
  }));
}

async function contestants(
  stage: Stage,
  scene: IntrospectionScene,
  algorithm: (typeof ALGORITHMS)[number]['algorithm'],
): Promise<readonly Contestant[] | string> {
  const installation = await scene.installation();
  const { client_id: clientId, client_secret: clientSecret } = await registerResourceServer(
    installation,
    algorithm,
  );
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret, accept: MEDIA_TYPE };
  const tokens = await issueIdentifierTokens(installation, clientId, TOKENS);
  const ours = introspectionService(stage, installation, { caller, tokens, sight: 'known' });
  const answer = await firstAnswer(ours);
  if (signatureAlgorithm(answer.body) !== algorithm) return 'not available yet: the answer is not so signed';
  const requests = tokens.map(({ token }) => introspectionRequest(caller, token));
  const constant = { answer: constantLike(answer), requests };
  return [
    bareServer(stage, LIMIT, constant),
    ours,
    leastWorkServer(stage, { ...constant, work: `${algorithm} signature`, installation }),
    peerIntrospection(stage, {
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
