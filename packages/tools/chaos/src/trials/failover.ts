import { setTimeout as pause } from 'node:timers/promises';
import { closing } from '@vestibule/local-services';
import { gapWrites } from '../evaluation/gap-writes.js';
import type { History } from '../load/history.js';
import { PACE, type Pace } from '../load/work.js';
import { missedPromotion, missedStandbys } from '../observability/replication-notices.js';
import {
  type Held,
  type ReplicatedPostgres,
  type Replication,
  startReplicatedPostgres,
} from '../processes/replicated-postgres.js';
import type { Cluster } from '../test-environment/cluster.js';
import { openInstallation } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { DEGRADED, type Fault, type Limits } from './fault.js';
import { evaluateRecording, recordFault } from './fault-trial.js';
import { inCluster } from './in-cluster.js';
import { measureLoss } from './replication-loss.js';
import type { Effort, Trial, TrialResult } from './trial.js';

/** The timing of a failover. */
export interface FailoverWatch {
  /** From the end of the primary to the promotion. */
  readonly downMs: number;
  /** How long asynchronous standbys receive nothing before the primary ends. */
  readonly gapMs: number;
  /** Before and after. */
  readonly calmMs: number;
  readonly pace: Pace;
  readonly limits: Limits;
}

const FULL_WATCH: FailoverWatch = {
  downMs: 5_000,
  gapMs: 3_000,
  calmMs: 10_000,
  // Three servers share the machine, and revocations wait for a standby one after the other.
  pace: { ...PACE, readMs: 16, tokens: 600, revokeMs: 24, revocationsAtOnce: 24 },
  // Commits wait until the other standby follows the promoted one, and reads wait for connections.
  limits: { ...DEGRADED, recoveryMs: 5_000 },
};

/** A primary is killed under load, and a standby is promoted. */
export const FAILOVERS: readonly Trial[] = [
  trial(
    'synchronous',
    'PostgreSQL is killed under load, and the most advanced of two synchronous standbys promoted',
  ),
  trial(
    'asynchronous',
    `the same with asynchronous standbys that receive nothing in the last ${FULL_WATCH.gapMs / 1000} seconds`,
  ),
];

function trial(replication: Replication, title: string): Trial {
  return {
    id: `failover-${replication}`,
    title,
    run: (testEnvironment, effort) => failOver(testEnvironment, replication, watchOf(effort)),
  };
}

function watchOf({ maxSeconds }: Effort): FailoverWatch {
  const atMost = (ms: number) => Math.min(ms, maxSeconds * 1000);
  const { downMs, gapMs, calmMs } = FULL_WATCH;
  return { ...FULL_WATCH, downMs: atMost(downMs), gapMs: atMost(gapMs), calmMs: atMost(calmMs) };
}

/** Runs a failover of a new PostgreSQL. */
export function failOver(
  { redis, log }: Pick<TestEnvironment, 'redis' | 'log'>,
  replication: Replication,
  watch: FailoverWatch,
): Promise<TrialResult> {
  return closing(async (toEnd) => {
    const replicated = await startReplicatedPostgres(replication, toEnd);
    const { postgres } = replicated;
    const installation = await openInstallation(postgres, toEnd);
    const testEnvironment: TestEnvironment = { redis, log, postgres, installation };
    const run = (cluster: Cluster) => watchFailover(cluster, { replicated, replication, watch });
    return inCluster(testEnvironment, { run });
  });
}

interface Failover {
  readonly replicated: ReplicatedPostgres;
  readonly replication: Replication;
  readonly watch: FailoverWatch;
}

async function watchFailover(
  cluster: Cluster,
  { replicated, replication, watch }: Failover,
): Promise<TrialResult> {
  const { downMs, gapMs, calmMs, pace, limits } = watch;
  const at: { held?: Held; killedMs: number; promotedMs: number } = { killedMs: 0, promotedMs: 0 };
  const problems: string[] = [];
  let promotion: Promise<readonly string[]> | undefined;
  const fault: Fault = {
    id: `failover-${replication}`,
    title: replication,
    seconds: downMs / 1000,
    limits,
    begin: async () => {
      problems.push(...(await missedStandbys(cluster, replication)));
      if (replication === 'asynchronous') {
        at.held = await replicated.holdReplication();
        await pause(gapMs);
      }
      await replicated.killPrimary();
      at.killedMs = performance.now();
      return async () => {
        await replicated.promote();
        at.promotedMs = performance.now();
        // Starts here, because only the end of the log is kept and soon lacks the message.
        promotion = missedPromotion(cluster);
      };
    },
  };
  const recording = await recordFault(cluster, fault, { seconds: fault.seconds, calmMs, pace });
  problems.push(...((await promotion) ?? []));
  const still = standstill(recording.history, at.killedMs);
  const gap = at.held && { ...at.held, endMs: at.promotedMs };
  const written =
    gap && gapWrites(recording.history.events, { beginMs: gap.receivedUntilMs, endMs: gap.endMs });
  const result = await evaluateRecording(cluster, fault, recording, written?.all);
  const loss = gap && (await measureLoss(cluster, recording, gap));
  return {
    ...result,
    remarks: [still, ...(loss?.remarks ?? [])],
    problems: [...result.problems, ...problems, ...(loss?.problems ?? [])],
  };
}

/** How long no revocation was acknowledged. */
function standstill({ events }: History, killedAtMs: number): string {
  const doneAtMs = events.flatMap((event) => (event.kind === 'revoked' ? [event.doneAtMs] : []));
  const last = doneAtMs.filter((ms) => ms <= killedAtMs).reduce((latest, ms) => Math.max(latest, ms), 0);
  const next = doneAtMs
    .filter((ms) => ms > killedAtMs)
    .reduce((earliest, ms) => Math.min(earliest, ms), Number.POSITIVE_INFINITY);
  return `no revocation acknowledged for ${((next - last) / 1000).toFixed(1)} s`;
}
