import { setTimeout as pause } from 'node:timers/promises';
import { isChangeStream } from '../faults/api-faults.js';
import { type Checker, type History, openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken, type TokenFormat } from '../load/isolated-token.js';
import { REVOCATION_PATHS } from '../load/revocation-paths.js';
import { type HeldClock, openHeldClock } from '../processes/held-clock.js';
import type { PlainProcess } from '../processes/plain-process.js';
import type { Cluster, ClusterOptions } from '../test-environment/cluster.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial, TrialResult } from './trial.js';

const PAUSE_MS = 12_000;
const FORMATS: readonly TokenFormat[] = ['identifier', 'jwt'];
const TOKENS_OF_A_KIND = 5;
const LIFETIME_SECONDS = 600;
/** Shorter than the pause. */
const SHORT_LIFETIME_SECONDS = 8;
/** Requests arrive after every acknowledgement and wait for the instance. */
const QUEUED_BEFORE_END_MS = 3_000;
const STALE_MS = 1_000;
/** How long an API may accept a revoked token under a fault. */
const API_STALE_MS = 5_000;

/** What is suspended. */
interface Machine {
  /** Settings of a cluster in which it has an environment. */
  readonly optionsWith: (environment: HeldClock['environment']) => ClusterOptions;
  readonly of: (cluster: Cluster) => Suspended;
  /** Holds back what a suspended machine would not receive. @returns what ends that */
  readonly disconnect: (cluster: Cluster) => () => void;
  readonly staleMs: number;
}

/** An instance or an API, and its process. */
interface Suspended extends Checker {
  readonly process: PlainProcess;
}

/** Machines that are suspended while tokens in their memory are revoked and expire. */
export const PAUSED_MACHINES: readonly Trial[] = [
  pausedMachine('paused-machine', 'an instance', {
    optionsWith: (environment) => ({ secondEnvironment: environment }),
    of: ({ instances: [, second] }) => ({ ...second, process: second.service.process() }),
    disconnect: () => () => undefined,
    staleMs: STALE_MS,
  }),
  pausedMachine('paused-machine-api', 'an API', {
    optionsWith: (environment) => ({ apiEnvironment: environment }),
    of: ({ api }) => api,
    // A stopped process would still find the events in its socket.
    disconnect: ({ api: { gateway } }) => {
      gateway.set({ kind: 'hold', from: 'server' }, isChangeStream);
      return gateway.pass;
    },
    staleMs: API_STALE_MS,
  }),
];

function pausedMachine(id: string, whose: string, machine: Machine): Trial {
  return {
    id,
    title: `the machine of ${whose} is suspended for 12 seconds: its monotonic clock stops, requests queue`,
    run: async (testEnvironment) => {
      let clock: HeldClock | undefined;
      return inCluster(testEnvironment, {
        prepare: async ({ log }, toEnd) => {
          clock = await openHeldClock(log, toEnd);
          return machine.optionsWith(clock.environment);
        },
        run: (cluster) => {
          if (clock === undefined) throw new TypeError('the trial was not prepared');
          return watchPause(cluster, clock, machine);
        },
      });
    },
  };
}

interface Tokens {
  readonly live: readonly IsolatedToken[];
  readonly revoked: readonly IsolatedToken[];
  readonly expiring: readonly IsolatedToken[];
}

/** Suspends a machine once, and evaluates the first responses afterwards. */
async function watchPause(
  cluster: Cluster,
  clock: HeldClock,
  { of, disconnect, staleMs }: Machine,
): Promise<TrialResult> {
  const history = openHistory();
  const { installation } = cluster;
  const suspended = of(cluster);
  const tokens: Tokens = {
    live: await issue(cluster, history, LIFETIME_SECONDS),
    revoked: await issue(cluster, history, LIFETIME_SECONDS),
    expiring: await issue(cluster, history, SHORT_LIFETIME_SECONDS),
  };
  const all = [...tokens.live, ...tokens.revoked, ...tokens.expiring];
  const introspectAll = () => Promise.all(all.map((token) => history.introspect(suspended, token)));
  // The second pass reads from the memory.
  for (let round = 0; round < 2; round += 1) await introspectAll();
  let queued: ReturnType<typeof introspectAll> | undefined;
  const connect = disconnect(cluster);
  await clock.suspend(suspended.process, PAUSE_MS, async (endsAtMs) => {
    for (const token of tokens.revoked)
      await history.revoke(token, async () => REVOCATION_PATHS[0]?.revoke(installation, token));
    await pause(endsAtMs - QUEUED_BEFORE_END_MS - performance.now());
    queued = introspectAll();
  });
  const outcomes = await queued;
  connect();
  for (let round = 0; round < 10; round += 1) {
    await introspectAll();
    await pause(50);
  }
  const isActive = (token: IsolatedToken) => outcomes?.[all.indexOf(token)] === 'active';
  const dead = [...tokens.revoked, ...tokens.expiring];
  const wrong = [
    [dead.filter(isActive), 'revoked or expired tokens were active'],
    [tokens.live.filter((token) => !isActive(token)), 'live tokens were not active'],
  ] as const;
  return plainResult(history, {
    staleMs,
    remarks: [`${all.length} queued requests, ${dead.length} about tokens that ended meanwhile`],
    problems: wrong.flatMap(([found, what]) => (found.length > 0 ? [`${found.length} ${what}`] : [])),
  });
}

async function issue(
  { installation }: Cluster,
  history: History,
  lifetimeSeconds: number,
): Promise<readonly IsolatedToken[]> {
  const issued: IsolatedToken[] = [];
  for (const format of FORMATS) {
    for (let index = 0; index < TOKENS_OF_A_KIND; index += 1) {
      const token = await issueIsolatedToken(installation, format, lifetimeSeconds);
      history.issued(token);
      issued.push(token);
    }
  }
  return issued;
}
