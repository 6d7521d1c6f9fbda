import { type Closers, closing } from '@vestibule/local-services';
import { openFixture } from '../observability/fixture.js';
import { LATE_MOVES } from '../observability/late-moves.js';
import { LOAD_MOVES } from '../observability/load-moves.js';
import { SOON_MOVES } from '../observability/metric-moves.js';
import { watchMove } from '../observability/watch-move.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { ledgerlessResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

const MOVES = [...SOON_MOVES, ...LATE_MOVES, ...LOAD_MOVES];

/** Faults, one after the other, that have to show in metrics. */
export const METRICS_MOVE: Trial = {
  id: 'metrics-move',
  title: `${MOVES.length} faults, one after the other, each of which must show in the metrics of a service within five seconds`,
  run: (testEnvironment) => closing((toEnd) => watchAll(testEnvironment, toEnd)),
};

async function watchAll(testEnvironment: TestEnvironment, toEnd: Closers): Promise<TrialResult> {
  const fixture = await openFixture(testEnvironment, toEnd);
  const [times, problems]: [number[], string[]] = [[], []];
  for (const move of MOVES)
    await watchMove(fixture, move).then(
      (ms) => times.push(ms),
      (error: unknown) => problems.push(`when ${move.fault}: ${String(error)}`),
    );
  return ledgerlessResult({
    remarks: [`${times.length} seen within ${Math.round(Math.max(0, ...times))} ms`],
    problems,
  });
}
