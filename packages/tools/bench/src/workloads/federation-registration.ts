import { openConnection } from '../load/connection.js';
import { percentile } from '../measure/statistics.js';
import { type FederationFixture, statementRequest } from '../test-environment/federation-fixture.js';
import { ISSUER } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const COLD_AT_MOST_MS = 1_000;
const CACHED_AT_MOST_MS = 15;
const WARMING = 100;
const REGISTRATIONS_PER_SECOND = 50;

/**
 * How long the registration of an entity takes over a chain of three levels, with every member a server on loopback.
 */
export function federationRegistrationWorkload(
  testEnvironment: TestEnvironment,
  fixture: FederationFixture,
): FigureWorkload {
  return {
    kind: 'figures',
    id: 'federation-registration',
    title: 'explicit registration over a trust chain of three levels',
    measure: async () => {
      const runs: Run[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
        runs.push(await measureRound(testEnvironment, fixture));
      return figures(runs);
    },
  };
}

interface Run {
  readonly coldMs: number;
  /** In ascending order. */
  readonly newcomersMs: readonly number[];
  /** In ascending order. */
  readonly cachedMs: readonly number[];
}

function figures(runs: readonly Run[]): readonly Figure[] {
  const at = (share: number, read: (run: Run) => readonly number[]) =>
    runs.map((run) => percentile(read(run), share));
  return [
    {
      name: 'cold: the first of a fresh process, four statements to fetch',
      values: runs.map(({ coldMs }) => coldMs),
      unit: 'ms',
      atMost: COLD_AT_MOST_MS,
    },
    {
      name: 'another entity below the same superior, one statement to fetch, p50',
      values: at(0.5, ({ newcomersMs }) => newcomersMs),
      unit: 'ms',
    },
    { name: 'cached: the same entity again, p50', values: at(0.5, ({ cachedMs }) => cachedMs), unit: 'ms' },
    {
      name: 'cached: the same entity again, p99',
      values: at(0.99, ({ cachedMs }) => cachedMs),
      unit: 'ms',
      atMost: CACHED_AT_MOST_MS,
    },
  ];
}

/** A freshly started service with an unknown entity, further unknown ones, and the first one repeatedly. */
async function measureRound({ effort }: TestEnvironment, fixture: FederationFixture): Promise<Run> {
  const federation = await fixture.federation();
  const member = async () => federation.registrationRequests(await federation.relyingParty(), ISSUER);
  const first = await member();
  const newcomers = await Promise.all(Array.from({ length: 20 }, member));
  const { process, port } = await fixture.start();
  const connection = await openConnection(port);
  const register = async (nextStatement: typeof first) => {
    const request = statementRequest(await nextStatement());
    const startedMs = performance.now();
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`a registration got the status ${status}: ${body}`);
    return performance.now() - startedMs;
  };
  const inTurn = async (members: readonly (typeof first)[]) => {
    const times: number[] = [];
    for (const nextStatement of members) times.push(await register(nextStatement));
    return times.toSorted((one, other) => one - other);
  };
  try {
    const coldMs = await register(first);
    await inTurn(Array.from({ length: WARMING }, () => first));
    const newcomersMs = await inTurn(newcomers);
    const count = REGISTRATIONS_PER_SECOND * effort.seconds;
    return { coldMs, newcomersMs, cachedMs: await inTurn(Array.from({ length: count }, () => first)) };
  } finally {
    connection.close();
    await process.stop();
  }
}
