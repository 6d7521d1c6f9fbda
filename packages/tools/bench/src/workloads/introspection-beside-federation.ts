import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from '../load/connection.js';
import { cycle, type RequestSource } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { lowPriorityPrefix } from '../load/priority.js';
import { startService } from '../servers/service.js';
import { startSilentNameServer } from '../servers/silent-name-server.js';
import { INTROSPECTION_PATH, introspectionTraffic } from '../targets/introspection-service.js';
import {
  type FederationFixture,
  isRefused,
  registrationRequest,
} from '../test-environment/federation-fixture.js';
import type { Installation } from '../test-environment/installation.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const CHAINS = 200;
const SUPERIORS = 8;
const SLOW_SERVERS = 24;
const TOKENS = 1_000;
const CONNECTIONS = 32;
const REQUESTS_PER_SECOND = 1_000;
const AT_MOST = 1.1;
const SATURATING_MS = 1_500;
/** Without negative entries every chain is slow each time. */
const SETTINGS = { FEDERATION_NEGATIVE_CACHE_SECONDS: '0', FEDERATION_CACHE_SECONDS: '0' };

/** The effect on introspection of a federation service that resolves many slow chains at a time. */
export function introspectionBesideFederationWorkload(
  testEnvironment: TestEnvironment,
  introspection: IntrospectionFixture,
  fixture: FederationFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'introspection-beside-federation',
    title: `introspection at ${REQUESTS_PER_SECOND} requests a second, while ${CHAINS} entities register over slow chains`,
    measure: async () => {
      const names = await startSilentNameServer(testEnvironment.folder);
      if (names === undefined)
        testEnvironment.log('  This system does not support a separate name server for a process.');
      else testEnvironment.closers.add(names.close);
      const crowds = await slowCrowds(fixture);
      // In production federation has its own machine; here it must not take the core from the load generator.
      const aside = await lowPriorityPrefix();
      const figures: Figure[] = [];
      for (const isShared of [false, true]) {
        const cluster = isShared ? 'one process for both' : 'separate processes';
        const atMost = isShared ? {} : { atMost: AT_MOST };
        const launch = { aside, prefix: [], requests: crowds.servers };
        const hanging = await measure(testEnvironment, { introspection, fixture, isShared }, launch);
        figures.push(...figuresOf(`${cluster}, servers hang`, hanging, atMost));
        if (names === undefined) continue;
        const silent = { aside, prefix: names.prefix, requests: crowds.names };
        const before = names.count();
        const unnamed = await measure(testEnvironment, { introspection, fixture, isShared }, silent);
        if (names.count() === before) throw new Error('the silent name server got no query');
        figures.push(...figuresOf(`${cluster}, the name server hangs`, unnamed, atMost));
      }
      return figures;
    },
  };
}

interface Turns {
  readonly calmMs: number[];
  readonly besideMs: number[];
}

function figuresOf(
  name: string,
  { calmMs, besideMs }: Turns,
  atMost: Pick<Figure, 'atMost'>,
): readonly Figure[] {
  return [
    { name: `${name}: p99 before`, values: calmMs, unit: 'ms' },
    { name: `${name}: p99 meanwhile`, values: besideMs, unit: 'ms' },
    {
      name: `${name}: p99, ratio`,
      values: besideMs.map((ms, round) => ms / (calmMs[round] ?? ms)),
      unit: '×',
      ...atMost,
    },
  ];
}

/** Requests of unknown entities, by the slowness of their superiors. */
async function slowCrowds(fixture: FederationFixture) {
  const federation = await fixture.federation();
  const entity = await federation.newEntity();
  entity.metadata['openid_relying_party'] = { redirect_uris: [`${entity.id}/callback`] };
  const slow = await Promise.all(Array.from({ length: SLOW_SERVERS }, federation.newEntity));
  for (const { behaviour } of slow) behaviour.configurationFault = 'hang';
  const crowd = (hint: (index: number) => string) =>
    Promise.all(
      Array.from({ length: CHAINS }, (_, index) => {
        const id = `${entity.id}/${index}`;
        const hints = Array.from({ length: SUPERIORS }, (__, which) => hint(index * SUPERIORS + which));
        return registrationRequest(federation, entity, { iss: id, sub: id, authority_hints: hints });
      }),
    );
  return {
    servers: await crowd((index) => slow[index % SLOW_SERVERS]?.id ?? entity.id),
    names: await crowd((index) => `https://superior-${index}.example`),
  };
}

interface Places {
  readonly introspection: IntrospectionFixture;
  readonly fixture: FederationFixture;
  /** Whether one process does both. */
  readonly isShared: boolean;
}

interface Slowness {
  /** The command prefix of a process that only serves federation. */
  readonly aside: readonly string[];
  /** The command prefix of the process that serves federation. */
  readonly prefix: readonly string[];
  readonly requests: readonly string[];
}

/** Introspection with and without federation load, alternating. */
async function measure(
  testEnvironment: TestEnvironment,
  places: Places,
  { aside, prefix, requests }: Slowness,
): Promise<Turns> {
  const { introspection, fixture, isShared } = places;
  const installation = await introspection.installation();
  const [tested, federating] = await startBoth(testEnvironment, fixture, {
    isShared,
    installation,
    aside,
    prefix,
  });
  const load = await introspectionLoad(introspection);
  const p99 = async (seconds: number) => {
    const paced = { connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
    const result = await pacedLoad({ port: tested.port, source: load, ...paced, seconds });
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result.p99Ms;
  };
  const turns: Turns = { calmMs: [], besideMs: [] };
  const { rounds, seconds, warmSeconds } = testEnvironment.effort;
  try {
    await p99(2 * warmSeconds);
    for (let round = 0; round < rounds; round += 1) {
      turns.calmMs.push(await p99(seconds));
      const release = await saturate(federating.port, requests);
      try {
        await pause(SATURATING_MS);
        turns.besideMs.push(await p99(seconds));
      } finally {
        await release();
      }
    }
    return turns;
  } finally {
    await tested.process.stop();
    await federating.process.stop();
  }
}

interface Start extends Omit<Slowness, 'requests'> {
  readonly isShared: boolean;
  readonly installation: Installation;
}

/** The process that introspects, and the one that registers. */
async function startBoth(
  { pinning, folder, nodeOptions }: TestEnvironment,
  fixture: FederationFixture,
  { isShared, installation, aside, prefix }: Start,
) {
  if (isShared) {
    const settings = { ...SETTINGS, DATA_DIR: `${folder}/standalone` };
    const shared = {
      name: 'standalone',
      installation,
      settings,
      prefix: [...pinning.serverPrefix, ...prefix],
    };
    const both = await fixture.start(shared);
    return [both, both] as const;
  }
  const { environment } = installation;
  const launch = { name: 'introspection', environment, prefix: pinning.serverPrefix, nodeOptions };
  return [
    await startService(launch),
    await fixture.start({ settings: SETTINGS, prefix: [...aside, ...prefix] }),
  ] as const;
}

async function introspectionLoad(fixture: IntrospectionFixture): Promise<RequestSource> {
  const { client_id: clientId, client_secret: clientSecret } = await fixture.resourceServer();
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
  const tokens = await fixture.identifierTokens(TOKENS);
  return cycle(introspectionTraffic({ caller, tokens, tokenReads: 'cached' }).load);
}

/** Has every entity register, and retry when refused. @returns what stops that */
async function saturate(port: number, requests: readonly string[]): Promise<() => Promise<void>> {
  const connections = await Promise.all(requests.map(() => openConnection(port)));
  let [isOver, wrong] = [false, 0];
  const insist = async (index: number) => {
    const [connection, request] = [connections[index], requests[index]];
    while (!isOver && connection !== undefined && request !== undefined) {
      const { status } = await connection.send(request);
      if (!isRefused(status)) wrong += 1;
    }
  };
  // Settled, so that a broken connection fails the run and not the process.
  const insisting = Promise.allSettled(requests.map((_, index) => insist(index)));
  return async () => {
    isOver = true;
    const outcomes = await insisting;
    for (const connection of connections) connection.close();
    const broken = outcomes.filter(({ status }) => status === 'rejected').length;
    if (wrong + broken > 0) throw new Error(`${wrong + broken} slow chains were not refused`);
  };
}
