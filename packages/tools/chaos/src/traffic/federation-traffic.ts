import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { openSmallFederation } from '@vestibule/testkit/federation';
import { ISSUER } from '../test-environment/installation.js';
import { serveProviderMetadata } from '../test-environment/provider-metadata.js';
import type { OpenTraffic } from './traffic.js';

/** More than register in parallel. */
const ENTITIES = 32;
const CONFIGURATION_PATH = '/.well-known/openid-federation';
/** One turn in this many sends its body slowly. */
const SLOW_EVERY = 15;
const SLOW_MS = 900;
const METADATA = { redirect_uris: ['https://client.example/callback'] };
const isJwt = (body: string) => body.split('.').length === 3;

/** Entities of a small federation that register repeatedly, and requests for the metadata of the service. */
export const federationTraffic: OpenTraffic = async (_fixture, toEnd) => {
  const federation = await openSmallFederation();
  toEnd.add(federation.close);
  // Each one registers with one statement after the other, so that requests in progress do not overtake each other.
  const waiting = await Promise.all(
    Array.from({ length: ENTITIES }, async () =>
      federation.registrationRequests(await federation.relyingParty({ metadata: METADATA }), ISSUER),
    ),
  );
  const provider = await serveProviderMetadata(toEnd);
  let turns = 0;
  return {
    environment: {
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
      FEDERATION_AUTHORITY_HINTS: federation.anchor.id,
      EGRESS_ALLOW_HOSTS: [...federation.hosts(), provider].join(','),
      PROVIDER_METADATA_URL: `http://${provider}/`,
    },
    turn: async (send) => {
      turns += 1;
      const nextStatement = waiting.shift();
      if (nextStatement === undefined) return;
      const body = await nextStatement();
      const headers = { 'content-type': MEDIA_TYPE.entityStatementJwt };
      const slowMs = turns % SLOW_EVERY === 0 ? SLOW_MS : 0;
      await send(
        { method: 'POST', path: '/federation/clients', headers, body, slowMs },
        { status: 200, isRight: isJwt },
      );
      waiting.push(nextStatement);
      await send({ method: 'GET', path: CONFIGURATION_PATH }, { status: 200, isRight: isJwt });
    },
  };
};
