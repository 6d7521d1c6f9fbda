import { openConnection } from '../load/connection.js';
import type { LoadResult } from '../load/load-result.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { OpenTarget, Replay, Target } from '../workloads/workload.js';
import { type Measurement, measurementOf } from './measurement.js';
import { requestAndCheck } from './sampling.js';
import { sendLoad, warmUp } from './send-load.js';
import { watchUsage } from './server-usage.js';

/** A server gave wrong responses, or none. */
export class WrongResponseError extends Error {
  override readonly name = 'WrongResponseError';
}

/** Starts a target, warms it up, measures it once and stops it. @throws WrongResponseError */
export async function runTarget(
  testEnvironment: TestEnvironment,
  target: Target,
  connections: number,
): Promise<Measurement> {
  const opened = await target.open();
  try {
    return await measure(testEnvironment, opened, connections);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongResponseError(`${target.name}: ${reason}`, { cause: error });
  } finally {
    await opened.close();
  }
}

async function measure(
  testEnvironment: TestEnvironment,
  opened: OpenTarget,
  connections: number,
): Promise<Measurement> {
  const { traffic, port } = opened;
  const responseBytes = traffic.kind === 'replay' ? await probe(port, traffic) : undefined;
  const warmed = await warmUp(testEnvironment, opened, connections);
  const used = await watchUsage(testEnvironment, opened);
  const result = await sendLoad(testEnvironment, opened, {
    connections,
    seconds: testEnvironment.effort.seconds,
  });
  const usage = await used();
  const wrong = whyWrong(result, { responseBytes, connections, traffic });
  if (wrong !== undefined) throw new Error(wrong);
  const problem = await opened.aftermath?.(warmed + result.requests);
  if (problem !== undefined) throw new Error(problem);
  return measurementOf({ ...result, ...usage });
}

/** Checks every sample once. @returns the size of a response */
async function probe(port: number, { samples, contrasts = [] }: Replay): Promise<number> {
  const connection = await openConnection(port);
  let bytes = 0;
  try {
    for (const contrast of contrasts) await requestAndCheck(connection.send, contrast);
    for (const sample of samples) bytes = (await requestAndCheck(connection.send, sample)).bytes;
  } finally {
    connection.close();
  }
  return bytes;
}

/** Facts about a load run. */
export interface LoadFacts {
  /** The size of a correct response; absent where every response is checked. */
  readonly responseBytes: number | undefined;
  readonly connections: number;
  readonly traffic: OpenTarget['traffic'];
}

/**
 * Why a result is invalid; `undefined` when it is valid. No response may have failed, and their total size must match
 * that number of correct ones.
 */
export function whyWrong(
  { failures, requests, bytes }: LoadResult,
  { responseBytes, connections, traffic }: LoadFacts,
): string | undefined {
  if (failures > 0) return `${failures} of ${requests} requests failed`;
  // At the end, requests are still in progress and responses half read.
  if (traffic.kind === 'replay' && traffic.once && requests + connections > traffic.load.length)
    return `${requests} responses and ${connections} requests in progress exceed the ${traffic.load.length} single-use requests`;
  if (responseBytes === undefined) return undefined;
  const unexplained = bytes - requests * responseBytes;
  return unexplained < 0 || unexplained > connections * responseBytes
    ? `${requests} responses of ${responseBytes} bytes do not add up to ${bytes} bytes: some differ`
    : undefined;
}
