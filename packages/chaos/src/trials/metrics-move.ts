import { type Closers, closing } from '@vestibule/local-services';
import { LATE_MOVES } from '../sight/late-moves.js';
import { LOAD_MOVES } from '../sight/load-moves.js';
import { SOON_MOVES } from '../sight/metric-moves.js';
import { openScene } from '../sight/scene.js';
import { watchMove } from '../sight/watch-move.js';
import type { Stage } from '../stage/stage.js';
import { ledgerlessResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

const MOVES = [...SOON_MOVES, ...LATE_MOVES, ...LOAD_MOVES];

/** Everything fails that an operator wants to see, one after the other. */
export const METRICS_MOVE: Trial = {
  id: 'metrics-move',
  title: `${MOVES.length} faults, one after the other, each of which has to show in the metrics of a service within five seconds`,
  run: (stage) => closing((toEnd) => watchAll(stage, toEnd)),
};

async function watchAll(stage: Stage, toEnd: Closers): Promise<TrialResult> {
  const scene = await openScene(stage, toEnd);
  const [times, problems]: [number[], string[]] = [[], []];
  for (const move of MOVES)
    await watchMove(scene, move).then(
      (ms) => times.push(ms),
      (error: unknown) => problems.push(`when ${move.fault}: ${String(error)}`),
    );
  return ledgerlessResult({
    remarks: [`${times.length} seen, within ${Math.round(Math.max(0, ...times))} ms`],
    problems,
  });
}
