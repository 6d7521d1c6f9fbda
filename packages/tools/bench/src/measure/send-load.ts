import { closedLoad } from '../load/closed-load.js';
import { cycle, type LoadResult } from '../load/load-result.js';
import { wrkLoad } from '../load/wrk.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { OpenTarget } from '../workloads/workload.js';
import { startSampling } from './sampling.js';
import { watchUsage } from './server-usage.js';

/** The amount of load. */
export interface LoadAmount {
  readonly connections: number;
  readonly seconds: number;
}

const MAX_WARM_UPS = 10;
const COMPUTING_MICROS_PER_SECOND = 600_000;

/** Sends the load of a target and checks sample responses. @throws Error for a wrong one */
export async function sendLoad(
  { wrk, folder }: TestEnvironment,
  { port, traffic }: OpenTarget,
  { connections, seconds }: LoadAmount,
): Promise<LoadResult> {
  if (traffic.kind === 'dialogue')
    return closedLoad({ port, source: traffic.source, connections, until: { seconds } });
  const sampling = await startSampling(port, traffic.samples);
  const result =
    wrk === undefined
      ? await closedLoad({ port, source: cycle(traffic.load), connections, until: { seconds } })
      : await wrkLoad({ program: wrk, folder, port, requests: traffic.load, connections, seconds });
  await sampling.stop();
  return result;
}

/** Sends each request once. @throws Error when one fails */
async function sendEach(port: number, requests: readonly string[], connections: number): Promise<number> {
  const until = { requests: requests.length };
  return successes(await closedLoad({ port, source: cycle(requests), connections, until }));
}

/** Returns the number of responses. @throws Error when a request failed */
function successes({ requests, failures }: LoadResult): number {
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
  return requests;
}

/**
 * Sends load until the server has used the CPU time that compiling hot code takes: on a busy machine that takes longer
 * in wall-clock time.
 * @returns the number of responses
 */
export async function warmUp(
  testEnvironment: TestEnvironment,
  opened: OpenTarget,
  connections: number,
): Promise<number> {
  const { traffic } = opened;
  const isReplay = traffic.kind === 'replay';
  const warming = {
    ...opened,
    traffic: isReplay ? { ...traffic, load: traffic.warm ?? traffic.load } : traffic,
  };
  const { warmSeconds: seconds } = testEnvironment.effort;
  let responses = isReplay && traffic.warmEach ? await sendEach(opened.port, traffic.load, connections) : 0;
  const used = await watchUsage(testEnvironment, opened);
  for (let times = 0; times < MAX_WARM_UPS; times += 1) {
    responses += successes(await sendLoad(testEnvironment, warming, { connections, seconds }));
    const { cpuMicros } = await used();
    if (cpuMicros === undefined || cpuMicros >= seconds * COMPUTING_MICROS_PER_SECOND) break;
  }
  return responses;
}
