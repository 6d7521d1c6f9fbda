import { setTimeout as pause } from 'node:timers/promises';
import { verdictOn } from '../judge/verdict.js';
import { type History, openHistory } from '../load/history.js';
import { startLoad } from '../load/load.js';
import { PACE, type Pace } from '../load/work.js';
import type { House } from '../stage/house.js';
import { lostTokens } from './audit.js';
import type { Fault } from './fault.js';
import { inHouse } from './in-house.js';
import { missedLimits } from './missed-limits.js';
import { untilRecovered } from './recovery.js';
import type { Trial, TrialResult } from './trial.js';

/** How a fault is watched. */
export interface WatchOptions {
  readonly seconds: number;
  readonly pace?: Pace;
  /** Before and after the fault. */
  readonly calmMs?: number;
}

const CALM_MS = 1_500;

/** A fault as a trial, with two instances and a load of its own. */
export function faultTrial(fault: Fault): Trial {
  const { id, title } = fault;
  return {
    id,
    title,
    run: async (stage, { maxSeconds }) => {
      const isFull = fault.seconds <= maxSeconds;
      const seconds = isFull ? fault.seconds : maxSeconds;
      const { revocationsAtOnce = PACE.revocationsAtOnce, fullTokens = PACE.tokens } = fault;
      const pace = { ...PACE, revocationsAtOnce, tokens: isFull ? fullTokens : PACE.tokens };
      return inHouse(stage, { ...fault, run: (house) => watchFault(house, fault, { seconds, pace }) });
    },
  };
}

/** Lets the fault happen to a house under load, and judges what was recorded. */
export async function watchFault(
  house: House,
  fault: Fault,
  { seconds, pace = PACE, calmMs = CALM_MS }: WatchOptions,
): Promise<TrialResult> {
  const history = openHistory();
  const load = await startLoad(house, history, fault.limits.staleMs, pace);
  await pause(calmMs);
  const end = await fault.begin(house);
  await pause(seconds * 1000);
  await end();
  const recoveryMs = await untilRecovered(house);
  await pause(calmMs);
  await load.stop();
  const lost = await lostTokens(house, history, load.pool.all);
  const own = (await fault.problems?.(house)) ?? [];
  return resultOf(house, history, { fault, failures: load.failures(), recoveryMs, lost, own });
}

interface Seen {
  readonly fault: Fault;
  readonly failures: number;
  readonly recoveryMs: number;
  readonly lost: number;
  readonly own: readonly string[];
}

function resultOf(house: House, history: History, { fault, own, ...seen }: Seen): TrialResult {
  const verdict = verdictOn(history.events, fault.limits.staleMs, seen.lost);
  const { violations, staleness, evidence } = verdict;
  const ended = house.instances.filter(({ service }) => !service.process().isRunning());
  const measured = {
    requests: history.latenciesMs.length,
    failures: seen.failures,
    slowestMs: history.latenciesMs.reduce((slowest, ms) => Math.max(slowest, ms), 0),
    ...(staleness && { staleness }),
    violations,
    recoveryMs: seen.recoveryMs,
    evidence,
    remarks: [],
  };
  const problems = [
    ...missedLimits(measured, fault.limits),
    ...own,
    ...ended.map(({ node }) => `instance ${node} has ended`),
  ];
  return { ...measured, problems };
}
