import { closedLoad } from '../load/closed-load.js';
import { type CountedResult, cycle, type RequestSource } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { findKnee } from '../measure/knee.js';
import { startSampling } from '../measure/sampling.js';
import { warmUp } from '../measure/send-load.js';
import { watchUsage } from '../measure/server-usage.js';
import { spreadOf } from '../measure/statistics.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { registrationService } from '../targets/registration-service.js';
import type { IntrospectionFixture } from '../test-environment/introspection-fixture.js';
import type { RegistrationFixture } from '../test-environment/registration-fixture.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload, OpenTarget, Target } from './workload.js';

const CONNECTIONS = 64;
/** Above the knee, one request in a hundred takes longer. */
const KNEE_P99_MS = 50;
/** The share of the closed-loop capacity to start with: surely below the knee. */
const FROM_SHARE = 0.4;
const STEADY_SHARE = 0.6;
const STEADY_P999_AT_MOST_MS = 30;
const DEVIATION_AT_MOST_PERCENT = 10;

/** The greatest sustained rate of a server, and its latency at 60 % of that rate (open loops). */
export function kneeWorkloads(
  testEnvironment: TestEnvironment,
  introspection: IntrospectionFixture,
  registration: RegistrationFixture,
): readonly FigureWorkload[] {
  return [
    {
      kind: 'figures',
      id: 'introspection-knee',
      title: 'introspection of 10,000 distinct live tokens up to the knee, and held at 60 % of it',
      measure: async () => {
        const installation = await introspection.installation();
        const { client_id: clientId, client_secret: clientSecret } = await introspection.resourceServer();
        const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
        const tokens = await introspection.identifierTokens(10_000);
        const options = { caller, tokens, tokenReads: 'cached' } as const;
        return kneeFigures(testEnvironment, introspectionService(testEnvironment, installation, options));
      },
    },
    {
      kind: 'figures',
      id: 'registration-knee',
      title: 'registration, POST up to the knee, and held at 60 % of it',
      measure: () => kneeFigures(testEnvironment, registrationService(registration, 'POST')),
    },
  ];
}

/** The result of one round. */
interface Round {
  readonly knee: number;
  /** The CPU use of the server process; absent where the system does not report it. */
  readonly busyPercent?: number;
  readonly steady: CountedResult;
}

async function kneeFigures(testEnvironment: TestEnvironment, target: Target): Promise<readonly Figure[]> {
  const rounds: Round[] = [];
  while (rounds.length < testEnvironment.effort.rounds) {
    const opened = await target.open();
    try {
      await warmUp(testEnvironment, opened, CONNECTIONS);
      rounds.push(await measureRound(testEnvironment, opened));
    } finally {
      await opened.close();
    }
  }
  const knees = rounds.map(({ knee }) => knee);
  const { median } = spreadOf(knees);
  const busy = rounds.flatMap(({ busyPercent }) => busyPercent ?? []);
  const steady = (read: (result: CountedResult) => number) =>
    rounds.map(({ steady: result }) => read(result));
  return [
    { name: `knee: p99 ≤ ${KNEE_P99_MS} ms up to`, values: knees, unit: 'req/s' },
    {
      name: 'the round furthest from the median, by',
      values: [Math.max(...knees.map((knee) => Math.abs(knee / median - 1) * 100))],
      unit: '%',
      atMost: DEVIATION_AT_MOST_PERCENT,
    },
    ...(busy.length > 0
      ? [{ name: "the server's process busy there", values: busy, unit: '%' } as const]
      : []),
    { name: 'held at', values: steady(({ requests, seconds }) => requests / seconds), unit: 'req/s' },
    { name: 'for', values: steady(({ seconds }) => seconds), unit: 's' },
    { name: 'p50', values: steady(({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: 'p99', values: steady(({ p99Ms }) => p99Ms), unit: 'ms' },
    {
      name: 'p99.9',
      values: steady(({ p999Ms }) => p999Ms),
      unit: 'ms',
      atMost: STEADY_P999_AT_MOST_MS,
    },
  ];
}

async function measureRound(testEnvironment: TestEnvironment, opened: OpenTarget): Promise<Round> {
  const { port, traffic } = opened;
  const source: RequestSource = traffic.kind === 'dialogue' ? traffic.source : cycle(traffic.load);
  const { warmSeconds: seconds, holdSeconds } = testEnvironment.effort;
  const closed = await closedLoad({ port, source, connections: CONNECTIONS, until: { seconds } });
  const paced = { port, source, connections: CONNECTIONS };
  let busyPercent: number | undefined;
  const knee = await findKnee((closed.requests / closed.seconds) * FROM_SHARE, async (requestsPerSecond) => {
    const used = await watchUsage(testEnvironment, opened);
    const { failures, p99Ms } = await pacedLoad({ ...paced, requestsPerSecond, seconds });
    const { cpuMicros, watchedSeconds } = await used();
    const isSustained = failures === 0 && p99Ms <= KNEE_P99_MS;
    if (isSustained && cpuMicros !== undefined) busyPercent = cpuMicros / watchedSeconds / 10_000;
    return isSustained;
  });
  const sampling = await startSampling(port, traffic.kind === 'replay' ? traffic.samples : []);
  const requestsPerSecond = knee * STEADY_SHARE;
  const steady = await pacedLoad({ ...paced, requestsPerSecond, seconds: holdSeconds });
  await sampling.stop();
  if (steady.failures > 0) throw new Error(`${steady.failures} requests failed at 60 % of the knee`);
  return { knee, steady, ...(busyPercent !== undefined && { busyPercent }) };
}
