import { runContestant } from './measure/run-contestant.js';
import type { ResultsFile } from './report/results.js';
import type { Stage } from './stage/stage.js';
import type { Comparison, Workload } from './workloads/workload.js';

/**
 * Runs a workload as far as the results lack it, and saves after every step.
 * @returns whether it came to an end; why it did not is in the results
 */
export async function runWorkload(stage: Stage, workload: Workload, file: ResultsFile): Promise<boolean> {
  const { results, save } = file;
  delete results.unavailable[workload.id];
  stage.log(`${workload.id}: ${workload.title}`);
  try {
    if (workload.kind === 'comparison') await compare(stage, workload, file);
    else await measureFigures(workload, file);
    return true;
  } catch (error) {
    // Whatever was under way broke when everything was ended.
    if (stage.interruption.aborted) return false;
    const reason = error instanceof Error ? error.message : String(error);
    stage.log(`${workload.id} failed: ${reason}`);
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
  stage: Stage,
  { id, connections, contestants: gather }: Comparison,
  { results, save }: ResultsFile,
): Promise<void> {
  const contestants = await gather();
  if (typeof contestants === 'string') {
    results.unavailable[id] = contestants;
    return;
  }
  results.comparisons[id] ??= {};
  const runs = results.comparisons[id];
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    for (const contestant of contestants) {
      runs[contestant.name] ??= [];
      const done = runs[contestant.name] ?? [];
      if (done.length > round) continue;
      const measured = await runContestant(stage, contestant, connections);
      done.push(measured);
      await save();
      const { requestsPerSecond, cpuMicrosPerRequest: micros, serverShare: share } = measured;
      const cpu =
        micros === undefined ? '' : `, ${micros.toFixed(1)} µs CPU a request, core ${share?.toFixed(2)}`;
      stage.log(`  ${round + 1} ${contestant.name}: ${Math.round(requestsPerSecond)} req/s${cpu}`);
    }
  }
}
