import { closing } from '@vestibule/local-services';
import { openBusyFleet } from '../fleet/busy-fleet.js';
import { openLedger } from '../fleet/ledger.js';
import type { Replacement } from '../processes/service.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import { SERVICE_NAMES, type ServiceName } from '../traffic/traffics.js';
import { until } from '../until.js';
import { ledgerResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

const ROUNDS = 10;
const QUICK_ROUNDS = 2;
const CALLERS = 12;
/** When an orchestrator would kill the process. */
const MAX_EXIT_MS = 10_000;
/** The longest duration of one round's share of the requests. */
const PATIENCE_MS = 120_000;
/** Turns before the first and after the last restart. */
const CALM_TURNS = 100;
/** The least number of requests to a service during its restarts; for the others, what ten rounds give. */
const MIN_REQUESTS: Partial<Record<ServiceName, number>> = { introspection: 100_000 };

/** The number of restarts and the load. */
export interface Restarts {
  /** How often both instances are restarted. */
  readonly rounds: number;
  /** The number of callers, default 12. */
  readonly callers?: number;
  /** Turns of callers before the first and after the last restart, default 100. */
  readonly calmTurns?: number;
  /** The least number of requests, over which the restarts are spread; default none. */
  readonly minRequests?: number;
}

/** Both instances of each service are restarted repeatedly. */
export const ROLLING_RESTARTS: readonly Trial[] = SERVICE_NAMES.map((name) => ({
  id: `rolling-restart-${name}`,
  title: `both instances of ${name} are restarted (SIGTERM) one after the other, ${ROUNDS} times`,
  run: (testEnvironment, { maxSeconds }) =>
    restartInTurn(
      testEnvironment,
      name,
      Number.isFinite(maxSeconds)
        ? { rounds: QUICK_ROUNDS }
        : { rounds: ROUNDS, minRequests: MIN_REQUESTS[name] ?? 0 },
    ),
}));

/** Restarts both instances of a service repeatedly under requests, and checks every response. */
export async function restartInTurn(
  testEnvironment: TestEnvironment,
  name: ServiceName,
  { rounds, callers = CALLERS, calmTurns = CALM_TURNS, minRequests = 0 }: Restarts,
): Promise<TrialResult> {
  return closing(async (toEnd) => {
    const ledger = openLedger();
    const masterToken = freshMasterToken();
    const environment = name === 'introspection' || name === 'logout' ? {} : masterSettings(masterToken);
    const fixture = { ...testEnvironment, masterToken: () => masterToken };
    const fleet = await openBusyFleet(
      testEnvironment,
      { name, fixture, ledger, callers, environment },
      toEnd,
    );
    const calm = async () => {
      const goal = fleet.turns() + calmTurns;
      await until(async () => fleet.turns() >= goal);
    };
    await calm();
    const replaced: Replacement[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      replaced.push(...(await fleet.roll()));
      await until(async () => ledger.requests >= (round / rounds) * minRequests, PATIENCE_MS);
    }
    await calm();
    const own = await fleet.rest();
    return ledgerResult(ledger, {
      remarks: [`${replaced.length} restarts`, ...timesOf(replaced)],
      problems: [...own, ...badEnds(replaced)],
    });
  });
}

/** The longest exit and start times. */
export function timesOf(replaced: readonly Replacement[]): readonly string[] {
  const slowest = (times: readonly number[]) => Math.round(Math.max(0, ...times));
  return [
    `exited within ${slowest(replaced.map(({ exitMs }) => exitMs))} ms`,
    `ready within ${slowest(replaced.map(({ readyMs }) => readyMs))} ms`,
  ];
}

/** Processes that did not exit by themselves or in time. */
export function badEnds(replaced: readonly Replacement[]): readonly string[] {
  const bad = replaced.filter(({ exitCode, exitMs }) => exitCode !== 0 || exitMs > MAX_EXIT_MS);
  return bad.length === 0
    ? []
    : [`${bad.length} of ${replaced.length} processes did not exit as they should`];
}
