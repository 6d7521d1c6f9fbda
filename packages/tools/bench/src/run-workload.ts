import { runTarget } from './measure/run-target.js';
import type { ResultsFile } from './report/results.js';
import type { TestEnvironment } from './test-environment/test-environment.js';
import type { Comparison, Workload } from './workloads/workload.js';

/**
 * Runs the missing parts of a workload, and saves after every step.
 * @returns whether it was completed; if not, the results contain the reason
 */
export async function runWorkload(
  testEnvironment: TestEnvironment,
  workload: Workload,
  file: ResultsFile,
): Promise<boolean> {
  const { results, save } = file;
  delete results.unavailable[workload.id];
  testEnvironment.log(`${workload.id}: ${workload.title}`);
  try {
    if (workload.kind === 'comparison') await compare(testEnvironment, workload, file);
    else await measureFigures(workload, file);
    return true;
  } catch (error) {
    // An interruption makes the step in progress fail.
    if (testEnvironment.interruption.aborted) return false;
    const reason = error instanceof Error ? error.message : String(error);
    testEnvironment.log(`${workload.id} failed: ${reason}`);
    results.unavailable[workload.id] = `failed: ${reason}`;
    return false;
  } finally {
    await save();
  }
}

async function measureFigures(
  { id, measure }: Extract<Workload, { kind: 'figures' }>,
  { results }: ResultsFile,
): Promise<void> {
  if (results.figures[id] !== undefined) return;
  const figures = await measure();
  if (typeof figures === 'string') results.unavailable[id] = figures;
  else results.figures[id] = figures.map((figure) => ({ ...figure, values: [...figure.values] }));
}

async function compare(
  testEnvironment: TestEnvironment,
  { id, connections, targets: gather }: Comparison,
  { results, save }: ResultsFile,
): Promise<void> {
  const targets = await gather();
  if (typeof targets === 'string') {
    results.unavailable[id] = targets;
    return;
  }
  results.comparisons[id] ??= {};
  const runs = results.comparisons[id];
  for (let round = 0; round < testEnvironment.effort.rounds; round += 1) {
    for (const target of targets) {
      runs[target.name] ??= [];
      const done = runs[target.name] ?? [];
      if (done.length > round) continue;
      const measured = await runTarget(testEnvironment, target, connections);
      done.push(measured);
      await save();
      const { requestsPerSecond, cpuMicrosPerRequest: micros, serverShare: share } = measured;
      const cpu =
        micros === undefined ? '' : `, ${micros.toFixed(1)} µs CPU a request, core ${share?.toFixed(2)}`;
      testEnvironment.log(`  ${round + 1} ${target.name}: ${Math.round(requestsPerSecond)} req/s${cpu}`);
    }
  }
}
