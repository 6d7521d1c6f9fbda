import { setTimeout as pause } from 'node:timers/promises';
import type { FederationEntity, SmallFederation } from '@vestibule/testkit/federation';
import { requestOnce } from '../load/connection.js';
import {
  type FederationFixture,
  isRefused,
  registrationRequest,
} from '../test-environment/federation-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const FETCHES_AT_MOST = 20;
/** Refusals are delivered at the next quarter of a second, which is within this. */
const SECONDS_AT_MOST = 5;
const CROWD = 1_000;
const WIDTH = 8;
const AFTERWARDS_MS = 500;

/** A relying party whose superiors are unreachable, and the counters of fetches. */
interface Graph {
  readonly relyingParty: FederationEntity;
  readonly members: readonly FederationEntity[];
}

const GRAPHS: Readonly<Record<string, (federation: SmallFederation) => Promise<Graph>>> = {
  'each of eight superiors names eight more': (federation) => tree(federation),
  'a thousand unreachable superiors': crowd,
  'two superiors that name each other as superior': loop,
  'eight superiors that accept connections and never respond': (federation) => tree(federation, 'hang'),
  'eight superiors that send one byte at a time': (federation) => tree(federation, 'drip'),
};

/** The work that a hostile federation can cause. */
export function federationHostileWorkload(
  testEnvironment: TestEnvironment,
  fixture: FederationFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'federation-hostile',
    title: 'explicit registration by an entity of a hostile federation',
    measure: async () => {
      const federation = await fixture.federation();
      const figures: Figure[] = [];
      for (const [name, build] of Object.entries(GRAPHS)) {
        const runs: Run[] = [];
        for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
          runs.push(await measureRound(fixture, federation, await build(federation)));
        figures.push(
          {
            name: `${name}: fetched`,
            values: runs.map(({ fetches }) => fetches),
            unit: 'statements',
            atMost: FETCHES_AT_MOST,
          },
          {
            name: `${name}: until the refusal`,
            values: runs.map(({ seconds }) => seconds),
            unit: 's',
            atMost: SECONDS_AT_MOST,
          },
        );
      }
      return figures;
    },
  };
}

interface Run {
  readonly fetches: number;
  readonly seconds: number;
}

/** A freshly started service without negative entries. */
async function measureRound(
  fixture: FederationFixture,
  federation: SmallFederation,
  { relyingParty, members }: Graph,
): Promise<Run> {
  const { process, port } = await fixture.start({ settings: { FEDERATION_NEGATIVE_CACHE_SECONDS: '0' } });
  const requestCount = () => members.reduce((sum, member) => sum + member.requestedPaths.length, 0);
  try {
    const request = await registrationRequest(federation, relyingParty);
    const [before, startedMs] = [requestCount(), performance.now()];
    const { status } = await requestOnce(port, request);
    const seconds = (performance.now() - startedMs) / 1_000;
    if (!isRefused(status)) throw new Error(`a hostile federation got the status ${status}`);
    const fetches = requestCount() - before;
    await pause(AFTERWARDS_MS);
    if (requestCount() - before > fetches)
      throw new Error('the service continues fetching after its response');
    return { fetches, seconds };
  } finally {
    await process.stop();
  }
}

async function tree({ newEntity }: SmallFederation, fault?: 'hang' | 'drip'): Promise<Graph> {
  const several = () => Promise.all(Array.from({ length: WIDTH }, newEntity));
  const [relyingParty, low, high] = [await newEntity(), await several(), await several()];
  relyingParty.metadata['openid_relying_party'] = { redirect_uris: [`${relyingParty.id}/callback`] };
  for (const superior of low) {
    superior.behaviour.configurationFault = fault;
    superior.vouchFor(relyingParty);
    for (const above of high) above.vouchFor(superior);
  }
  return { relyingParty, members: [...low, ...high] };
}

async function crowd({ newEntity }: SmallFederation): Promise<Graph> {
  const [relyingParty, host] = [await newEntity(), await newEntity()];
  relyingParty.metadata['openid_relying_party'] = { redirect_uris: [`${relyingParty.id}/callback`] };
  relyingParty.hints.push(...Array.from({ length: CROWD }, (_, index) => `${host.id}/${index}`));
  return { relyingParty, members: [host] };
}

async function loop({ newEntity }: SmallFederation): Promise<Graph> {
  const [relyingParty, one, other] = [await newEntity(), await newEntity(), await newEntity()];
  relyingParty.metadata['openid_relying_party'] = { redirect_uris: [`${relyingParty.id}/callback`] };
  for (const superior of [one, other]) superior.vouchFor(relyingParty);
  one.vouchFor(other);
  other.vouchFor(one);
  return { relyingParty, members: [one, other] };
}
