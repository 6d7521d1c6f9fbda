import { until } from '../until.js';
import type { Fixture, MetricMove } from './metric-move.js';
import { WATCHED } from './watched-services.js';

/** What an operator looks at moves within this time. */
const MAX_MOVE_MS = 5_000;

/**
 * Lets something fail, and waits until its metrics have moved; all is well again afterwards.
 * @returns how long that took, in milliseconds
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
