import { setTimeout as pause } from 'node:timers/promises';
import { type Closers, closing } from '@vestibule/local-services';
import { openClient } from '../client/client.js';
import { startClientTraffic } from '../client/client-traffic.js';
import { repeating } from '../faults/repeating.js';
import { type Gateway, openGateway } from '../fleet/gateway.js';
import { type Ledger, openLedger } from '../fleet/ledger.js';
import { type History, openHistory } from '../load/history.js';
import { tokenPool } from '../load/token-pool.js';
import type { Pace } from '../load/work.js';
import { openFalseTime } from '../processes/false-time.js';
import { startService } from '../processes/service.js';
import type { Cluster } from '../test-environment/cluster.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import { until } from '../until.js';
import { lostTokens } from './audit.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial } from './trial.js';

/** The services that run clean-up, among other things. */
type CleaningService = 'registration' | 'authorization' | 'federation';

/** The offset of a wrong clock over time. */
interface Phase {
  readonly name: string;
  readonly secondsAhead: readonly number[];
}

const WRONG_SECONDS = 120;
const PHASES: readonly Phase[] = [
  { name: 'ahead', secondsAhead: [WRONG_SECONDS] },
  { name: 'behind', secondsAhead: [-WRONG_SECONDS] },
  { name: 'jumping', secondsAhead: [WRONG_SECONDS, -WRONG_SECONDS, 0] },
];
const PHASE_SECONDS = 10;
const JUMP_MS = 700;
/** The least offset that counts as wrong: a response has its time in whole seconds. */
const SURELY_WRONG_MS = 100_000;
const STALE_MS = 1_000;
const CLEAN_UP_SECONDS = 1;
const NEVER_SECONDS = 86_400;
const PACE: Pace = {
  readers: 4,
  readMs: 8,
  issuers: 48,
  tokens: 0,
  revokeMs: 0,
  revocationsAtOnce: 0,
};
const OVERDUE = `SELECT count(*)::int AS count FROM access_token WHERE expires_at < now() - interval '2 seconds'`;

/** Services that issue, revoke and clean up with a wrong clock, next to instances with the right time. */
export const WRONG_CLOCKS: readonly Trial[] = (['registration', 'authorization', 'federation'] as const).map(
  (name) => ({
    id: `clock-${name}`,
    title: `the clock of ${name}, the only one that cleans up, is two minutes ahead, then behind, then jumps between the two`,
    run: (testEnvironment, { maxSeconds }) => {
      const seconds = Math.min(PHASE_SECONDS, maxSeconds);
      return inCluster(testEnvironment, { run: (cluster) => watchWrongClock(cluster, name, seconds) });
    },
  }),
);

/** Sets the clock of a service wrong in each way for some seconds, and evaluates the responses. */
export async function watchWrongClock(cluster: Cluster, name: CleaningService, seconds: number) {
  const [history, ledger] = [openHistory(), openLedger()];
  const seen = { lost: 0, problems: [] as string[] };
  for (const phase of PHASES) {
    const found = await closing((toEnd) =>
      watchPhase(cluster, { name, phase, seconds, history, ledger }, toEnd),
    );
    seen.lost += found.lost;
    seen.problems.push(...found.problems.map((problem) => `${phase.name}: ${problem}`));
  }
  const { violations, problems, ...result } = plainResult(history, {
    staleMs: STALE_MS,
    remarks: [`${ledger.requests} requests to the services`, `cleaned up every ${CLEAN_UP_SECONDS} s`],
    problems: [
      ...seen.problems,
      ...(seen.lost > 0 ? [`${seen.lost} × lost`] : []),
      ...(ledger.failures > 0 ? [`requests failed: ${ledger.examples.join('; ')}`] : []),
    ],
  });
  return { ...result, violations: { ...violations, lost: seen.lost }, problems };
}

interface WatchedPhase {
  readonly name: CleaningService;
  readonly phase: Phase;
  readonly seconds: number;
  readonly history: History;
  readonly ledger: Ledger;
}

async function watchPhase(
  cluster: Cluster,
  { name, phase, seconds, history, ledger }: WatchedPhase,
  toEnd: Closers,
): Promise<{ readonly lost: number; readonly problems: readonly string[] }> {
  const { redis, installation } = cluster;
  const time = await openFalseTime(cluster.log, toEnd);
  const stand = (turn: number) => time.moveTo(phase.secondsAhead[turn % phase.secondsAhead.length] ?? 0);
  await stand(0);
  const masterToken = freshMasterToken();
  const open = openerOf(cluster, { wrong: name, time: time.environment, masterToken }, toEnd);
  const services = { registration: await open('registration'), authorization: await open('authorization') };
  const wrong = name === 'federation' ? await open(name) : services[name];
  toEnd.add(repeating(JUMP_MS, stand));
  // The trial would show nothing with a right clock.
  const untilWrong = () => until(async () => (await offMs(wrong)) > SURELY_WRONG_MS);
  await untilWrong();
  let isOver = false;
  const pool = tokenPool();
  const work = { cluster, history, pool, pace: PACE, staleMs: STALE_MS, isOver: () => isOver };
  const traffic = startClientTraffic(openClient(services, ledger, masterToken), work);
  await pause(seconds * 1000);
  isOver = true;
  await traffic.stop();
  await untilWrong();
  // Without caches, only the stored state decides.
  await redis.admin.flushall();
  await cluster.instances[1].service.restart();
  const lost = await lostTokens(cluster.instances, history, pool.all);
  const isCleanedUp = async () =>
    (await installation.pool.query<{ count: number }>(OVERDUE)).rows[0]?.count === 0;
  const wasCleanedUp = await until(isCleanedUp, 3 * CLEAN_UP_SECONDS * 1000).then(
    () => true,
    () => false,
  );
  return {
    lost,
    problems: [
      ...(wasCleanedUp ? [] : ['expired tokens were not cleaned up']),
      ...(traffic.failures() > 0 ? [`${traffic.failures()} requests had no response`] : []),
    ],
  };
}

interface ServiceNeeds {
  readonly wrong: CleaningService;
  readonly time: Readonly<Record<string, string>>;
  readonly masterToken: string;
}

/** Starts services; only the one with the wrong clock cleans up. */
function openerOf(
  { postgres, installation }: Cluster,
  { wrong, time, masterToken }: ServiceNeeds,
  toEnd: Closers,
) {
  return async (name: CleaningService): Promise<Gateway> => {
    const isWrong = name === wrong;
    const service = await startService({
      name,
      environment: {
        ...installation.environment,
        DATABASE_URL: postgres.url(installation.database),
        ...masterSettings(masterToken),
        CLEAN_UP_INTERVAL_SECONDS: String(isWrong ? CLEAN_UP_SECONDS : NEVER_SECONDS),
        ...(name === 'authorization' && { ACCESS_TOKEN_SIGNING_ALG: 'ES256' }),
        ...(isWrong && time),
      },
    });
    toEnd.add(service.stop);
    const gateway = await openGateway([service]);
    toEnd.add(gateway.close);
    return gateway;
  };
}

/** The offset of a service's clock, from the `Date` header of its responses. */
async function offMs(service: Gateway): Promise<number> {
  const { headers } = await service.send({ method: 'GET', path: '/' });
  return Math.abs(Date.parse(headers.date ?? '') - Date.now());
}
