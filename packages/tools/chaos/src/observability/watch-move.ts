import { until } from '../until.js';
import type { Fixture, MetricMove } from './metric-move.js';
import { WATCHED } from './watched-services.js';

/** The metric has to move within this time. */
const MAX_MOVE_MS = 5_000;

/**
 * Injects a fault, waits until its metric has moved, and ends the fault.
 * @returns the time it took, in milliseconds
 * @throws when it takes longer than five seconds
 */
export async function watchMove(fixture: Fixture, { watched, begin, hasMoved }: MetricMove): Promise<number> {
  const service = fixture.services[watched];
  const before = await service.metrics();
  const end = await begin(fixture);
  const begunAt = performance.now();
  try {
    await until(async () => hasMoved(before, await service.metrics()), MAX_MOVE_MS);
    return performance.now() - begunAt;
  } finally {
    await end();
    for (const name of WATCHED) await until(fixture.services[name].isReady);
  }
}
