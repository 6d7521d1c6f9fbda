import { setTimeout as pause } from 'node:timers/promises';
import { verdictOn } from '../evaluation/verdict.js';
import { type History, openHistory } from '../load/history.js';
import type { IsolatedToken } from '../load/isolated-token.js';
import { startLoad } from '../load/load.js';
import { PACE, type Pace } from '../load/work.js';
import { spreadText } from '../report/staleness-table.js';
import type { Cluster } from '../test-environment/cluster.js';
import { lostTokens } from './audit.js';
import type { Fault } from './fault.js';
import { inCluster } from './in-cluster.js';
import { missedLimits } from './missed-limits.js';
import { untilRecovered } from './recovery.js';
import type { Trial, TrialResult } from './trial.js';

/** How to watch a fault. */
export interface WatchOptions {
  readonly seconds: number;
  readonly pace?: Pace;
  /** Before and after the fault. */
  readonly calmMs?: number;
}

const CALM_MS = 1_500;

/** A fault as a trial, with its own instances and load. */
export function faultTrial(fault: Fault): Trial {
  const { id, title } = fault;
  return {
    id,
    title,
    run: async (testEnvironment, { maxSeconds }) => {
      const isFull = fault.seconds <= maxSeconds;
      const seconds = isFull ? fault.seconds : maxSeconds;
      const { revocationsAtOnce = PACE.revocationsAtOnce, fullTokens = PACE.tokens } = fault;
      const pace = { ...PACE, revocationsAtOnce, tokens: isFull ? fullTokens : PACE.tokens };
      return inCluster(testEnvironment, {
        ...fault,
        run: (cluster) => watchFault(cluster, fault, { seconds, pace }),
      });
    },
  };
}

/** What was recorded while a fault happened to a cluster under load. */
export interface Recording {
  readonly history: History;
  /** Every issued token. */
  readonly tokens: readonly IsolatedToken[];
  readonly failures: number;
  readonly recoveryMs: number;
}

/** Injects a fault into a cluster under load, and evaluates what was recorded. */
export async function watchFault(
  cluster: Cluster,
  fault: Fault,
  options: WatchOptions,
): Promise<TrialResult> {
  return evaluateRecording(cluster, fault, await recordFault(cluster, fault, options));
}

/** Injects a fault into a cluster under load. */
export async function recordFault(
  cluster: Cluster,
  fault: Fault,
  { seconds, pace = PACE, calmMs = CALM_MS }: WatchOptions,
): Promise<Recording> {
  const history = openHistory();
  const load = await startLoad(cluster, history, fault.limits.staleMs, pace);
  await pause(calmMs);
  const end = await fault.begin(cluster);
  await pause(seconds * 1000);
  await end();
  const recoveryMs = await untilRecovered(cluster);
  await pause(calmMs);
  await load.stop();
  return { history, tokens: load.pool.all, failures: load.failures(), recoveryMs };
}

/** Evaluates what was recorded of all tokens except the excluded ones. */
export async function evaluateRecording(
  cluster: Cluster,
  fault: Fault,
  { history, tokens, ...seen }: Recording,
  except: ReadonlySet<string> = new Set(),
): Promise<TrialResult> {
  const lost = await lostTokens(
    [...cluster.instances, ...cluster.apis],
    history,
    tokens.filter(({ name }) => !except.has(name)),
  );
  const own = (await fault.problems?.(cluster)) ?? [];
  const events = history.events.filter(({ token }) => !except.has(token));
  const { violations, staleness, evidence } = verdictOn(events, fault.limits.staleMs, lost);
  const ended = cluster.instances.filter(({ service }) => !service.process().isRunning());
  const measured = {
    requests: history.latenciesMs.length,
    failures: seen.failures,
    slowestMs: history.latenciesMs.reduce((slowest, ms) => Math.max(slowest, ms), 0),
    ...(staleness && { staleness }),
    violations,
    recoveryMs: seen.recoveryMs,
    evidence,
    remarks: staleness?.atReference ? [`at the second API: ${spreadText(staleness.atReference)}`] : [],
  };
  const problems = [
    ...missedLimits(measured, fault.limits),
    ...own,
    ...ended.map(({ node }) => `instance ${node} has exited`),
  ];
  return { ...measured, problems };
}
