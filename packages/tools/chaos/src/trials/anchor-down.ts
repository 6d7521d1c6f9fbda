import { setTimeout as pause } from 'node:timers/promises';
import { closing } from '@vestibule/local-services';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import {
  type FederationEntity,
  openSmallFederation,
  type SmallFederation,
} from '@vestibule/testkit/federation';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { httpCaller, postOnce } from '../load/http.js';
import { startService } from '../processes/service.js';
import type { Cluster } from '../test-environment/cluster.js';
import { ISSUER } from '../test-environment/installation.js';
import { serveProviderMetadata } from '../test-environment/provider-metadata.js';
import { until } from '../until.js';
import { inCluster } from './in-cluster.js';
import type { Trial, TrialResult } from './trial.js';

const CACHE_SECONDS = 3;
const FAILURE_MEMORY_SECONDS = 1;
/** From registration on; longer than statements are cached. */
const SHORT_LIFE_SECONDS = 9;
const REFUSAL_AT_MOST_MS = 5_500;
const RECOVERY_AT_MOST_MS = 5_000;

/** The trust anchor of a federation accepts connections and never responds. */
export const ANCHOR_DOWN: Trial = {
  id: 'anchor-down',
  title: 'the trust anchor of a federation hangs until its cached statements expire, and responds again',
  run: (testEnvironment) => inCluster(testEnvironment, { run: withoutAnchor }),
};

const Registered = Type.Object({
  metadata: Type.Object({
    openid_relying_party: Type.Object({ client_id: Type.String(), client_secret: Type.String() }),
  }),
});

/** One checked guarantee. */
interface Finding {
  readonly guarantee: string;
  readonly isKept: boolean;
}

/**
 * Lets members register and introspect with and without their anchor: registered members are served until their chain
 * expires and no longer, cached statements serve new members, later ones are refused in time, and everything works once
 * the anchor is back.
 */
async function withoutAnchor(cluster: Cluster): Promise<TrialResult> {
  return closing(async (toEnd) => {
    const federation = await openSmallFederation();
    toEnd.add(federation.close);
    const provider = await serveProviderMetadata(toEnd);
    const service = await startFederation(cluster, federation, provider);
    toEnd.add(service.stop);
    const world = {
      federation,
      register: registerAt(service.port, federation),
      introspect: introspectAt(cluster),
    };
    const known = await world.register(await member(federation));
    const { short, endsAt } = await shortLived(world);
    setFault(federation, 'hang');
    const early = await world.register(await member(federation));
    await pause((CACHE_SECONDS + 0.5) * 1_000);
    const newcomer = await member(federation);
    const late = await world.register(newcomer);
    const meanwhile = await Promise.all([world.introspect(known), world.introspect(short)]);
    await until(async () => nowSeconds(systemClock) > endsAt);
    const afterwards = await Promise.all([world.introspect(known), world.introspect(short)]);
    setFault(federation, undefined);
    const begunMs = performance.now();
    await until(async () => (await world.register(newcomer)).status === 200);
    const recoveryMs = performance.now() - begunMs;
    return resultOf({ refusalMs: late.ms, recoveryMs }, [
      {
        guarantee: 'members register while the anchor responds',
        isKept: known.status === 200 && short.status === 200,
      },
      { guarantee: 'cached statements of the anchor serve new members', isKept: early.status === 200 },
      { guarantee: 'new members are refused without an anchor', isKept: late.status === 401 },
      { guarantee: 'new members are refused in time', isKept: late.ms <= REFUSAL_AT_MOST_MS },
      {
        guarantee: 'registered members are served without an anchor',
        isKept: meanwhile.every((seen) => seen === 200),
      },
      { guarantee: 'registered members are served until their chain expires', isKept: afterwards[0] === 200 },
      { guarantee: 'no member is served after its chain expires', isKept: afterwards[1] === 401 },
      {
        guarantee: 'everything works soon after the anchor is back',
        isKept: recoveryMs <= RECOVERY_AT_MOST_MS,
      },
    ]);
  });
}

function startFederation(
  { installation, postgres }: Cluster,
  { trustAnchors }: SmallFederation,
  provider: string,
) {
  return startService({
    name: 'federation',
    environment: {
      ...installation.environment,
      DATABASE_URL: postgres.url(installation.database),
      FEDERATION_ENABLED: 'true',
      FEDERATION_TRUST_ANCHORS: JSON.stringify(trustAnchors),
      FEDERATION_RIGHTS: 'client-reg',
      FEDERATION_CACHE_SECONDS: String(CACHE_SECONDS),
      FEDERATION_NEGATIVE_CACHE_SECONDS: String(FAILURE_MEMORY_SECONDS),
      EGRESS_ALLOW_HOSTS: '127.0.0.1',
      PROVIDER_METADATA_URL: `http://${provider}/`,
    },
  });
}

/** A federation member that may introspect. */
function member({ relyingParty }: SmallFederation): Promise<FederationEntity> {
  const scope = `${ISSUER}/token/introspect`;
  const metadata = {
    grant_types: ['client_credentials'],
    scope,
    redirect_uris: undefined,
    response_types: undefined,
  };
  return relyingParty({ metadata });
}

function setFault({ anchor }: SmallFederation, fault: 'hang' | undefined): void {
  anchor.behaviour.configurationFault = fault;
  anchor.behaviour.fetchFault = fault;
}

/** The result of a registration. */
interface RegisteredEntity {
  readonly status: number;
  readonly ms: number;
  /** Empty when it was refused. */
  readonly authorization: string;
}

function registerAt(port: number, { registrationRequest }: SmallFederation) {
  return async (entity: FederationEntity): Promise<RegisteredEntity> => {
    const body = await registrationRequest(entity, ISSUER);
    const begunMs = performance.now();
    const response = await postOnce(port, '/federation/clients', {
      body,
      type: MEDIA_TYPE.entityStatementJwt,
    });
    const [status, ms] = [response.status, performance.now() - begunMs];
    if (status !== 200) return { status, ms, authorization: '' };
    const claims: unknown = JSON.parse(
      Buffer.from(response.body.split('.')[1] ?? '', 'base64url').toString(),
    );
    const { client_id: id, client_secret: secret } = Value.Parse(Registered, claims).metadata
      .openid_relying_party;
    return { status, ms, authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  };
}

/** Introspects as a client and gives the status. */
function introspectAt({ instances: [{ service }] }: Cluster) {
  return async ({ authorization }: RegisteredEntity): Promise<number> => {
    const caller = httpCaller(service.port, authorization);
    try {
      return (await caller.post('/token/introspect', { token: 'unknown' })).status;
    } finally {
      caller.close();
    }
  };
}

/** Registers a member whose superior's statement is valid for a short time only. */
async function shortLived({
  federation,
  register,
}: {
  readonly federation: SmallFederation;
  readonly register: (entity: FederationEntity) => Promise<RegisteredEntity>;
}) {
  const entity = await member(federation);
  const endsAt = nowSeconds(systemClock) + SHORT_LIFE_SECONDS;
  federation.intermediates[0].behaviour.subordinates.set(entity.id, { claims: { exp: endsAt } });
  return { short: await register(entity), endsAt };
}

function resultOf(
  { refusalMs, recoveryMs }: { readonly refusalMs: number; readonly recoveryMs: number },
  findings: readonly Finding[],
): TrialResult {
  return {
    requests: findings.length,
    failures: 0,
    slowestMs: refusalMs,
    violations: { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 },
    recoveryMs,
    remarks: [`a new member refused after ${(refusalMs / 1_000).toFixed(2)} s`],
    evidence: [],
    problems: findings.filter(({ isKept }) => !isKept).map(({ guarantee }) => `violated: ${guarantee}`),
  };
}
