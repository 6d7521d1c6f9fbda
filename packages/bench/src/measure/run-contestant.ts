import { closedLoad } from '../load/closed-load.js';
import { openConnection } from '../load/connection.js';
import { cycle, type LoadResult } from '../load/load-result.js';
import { SERVER_CORE } from '../load/pinning.js';
import { wrkLoad } from '../load/wrk.js';
import type { Stage } from '../stage/stage.js';
import type { Contestant, OpenContestant, Replay } from '../workloads/workload.js';
import { type Measurement, measurementOf } from './measurement.js';
import { coreBusyMicros, processMicros } from './process-usage.js';
import { askAndJudge, startSampling } from './sampling.js';

/** A server gave wrong answers, or none. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';
}

const MAX_WARM_UPS = 10;
const WARM_CPU_MICROS_PER_SECOND = 600_000;

/** Starts a contestant, warms it up, measures it once and ends it. @throws WrongAnswerError */
export async function runContestant(
  stage: Stage,
  contestant: Contestant,
  connections: number,
): Promise<Measurement> {
  const opened = await contestant.open();
  try {
    return await measure(stage, opened, connections);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongAnswerError(`${contestant.name}: ${reason}`, { cause: error });
  } finally {
    await opened.close();
  }
}

async function measure(stage: Stage, opened: OpenContestant, connections: number): Promise<Measurement> {
  const { traffic, port } = opened;
  const answerBytes = traffic.kind === 'replay' ? await probe(port, traffic) : undefined;
  const warmed = await warmUp(stage, opened, connections);
  const before = await usage(stage, opened);
  const result = await send(stage, opened, { connections, seconds: stage.effort.seconds });
  const after = await usage(stage, opened);
  judge(result, { answerBytes, connections });
  if (traffic.kind === 'replay' && traffic.once && result.requests > traffic.load.length)
    throw new Error(
      `${result.requests} requests were sent, and only ${traffic.load.length} were there to be sent`,
    );
  const problem = await opened.aftermath?.(warmed + result.requests);
  if (problem !== undefined) throw new Error(problem);
  return measurementOf({
    ...result,
    cpuMicros: difference(after.cpu, before.cpu),
    coreMicros: difference(after.core, before.core),
  });
}

/** Judges every sample once. @returns the size of an answer */
async function probe(port: number, { samples, contrasts = [] }: Replay): Promise<number> {
  const connection = await openConnection(port);
  let bytes = 0;
  try {
    for (const contrast of contrasts) await askAndJudge(connection.ask, contrast);
    for (const sample of samples) bytes = (await askAndJudge(connection.ask, sample)).bytes;
  } finally {
    connection.close();
  }
  return bytes;
}

/**
 * Sends load until the server has computed for as long as it takes to compile what is hot: on a machine with other
 * work that is longer than the time by the clock. @returns how many requests were answered
 */
async function warmUp(stage: Stage, opened: OpenContestant, connections: number): Promise<number> {
  const { traffic } = opened;
  const { warmSeconds } = stage.effort;
  const isReplay = traffic.kind === 'replay';
  const warming = isReplay ? { ...traffic, load: traffic.warm ?? traffic.load } : traffic;
  const seconds = Math.max(warmSeconds, Math.ceil((isReplay && traffic.warmSeconds) || 0));
  const start = (await usage(stage, opened)).cpu;
  let answered = 0;
  for (let times = 0; times < MAX_WARM_UPS; times += 1) {
    const { requests, failures } = await send(
      stage,
      { ...opened, traffic: warming },
      { connections, seconds },
    );
    if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
    answered += requests;
    const computed = difference((await usage(stage, opened)).cpu, start);
    if (computed === undefined || computed >= warmSeconds * WARM_CPU_MICROS_PER_SECOND) break;
  }
  return answered;
}

interface Amount {
  readonly connections: number;
  readonly seconds: number;
}

async function send(stage: Stage, { port, traffic }: OpenContestant, amount: Amount): Promise<LoadResult> {
  const { connections, seconds } = amount;
  if (traffic.kind === 'dialogue')
    return closedLoad({ port, source: traffic.source, connections, until: { seconds } });
  const sampling = await startSampling(port, traffic.samples);
  const { wrk, folder } = stage;
  const result =
    wrk === undefined
      ? await closedLoad({ port, source: cycle(traffic.load), connections, until: { seconds } })
      : await wrkLoad({ program: wrk, folder, port, requests: traffic.load, connections, seconds });
  await sampling.stop();
  return result;
}

async function usage({ pinning }: Stage, { pid }: OpenContestant) {
  return {
    cpu: pid === undefined ? undefined : await processMicros(pid),
    core: pinning.isPinned ? await coreBusyMicros(SERVER_CORE) : undefined,
  };
}

/** No answer may have failed, and all of them together must be as large as that many right ones. */
function judge(
  { failures, requests, bytes }: LoadResult,
  { answerBytes, connections }: { answerBytes: number | undefined; connections: number },
): void {
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`);
  if (answerBytes === undefined) return;
  // The last answers may be half read when the time is over.
  if (Math.abs(bytes - requests * answerBytes) > connections * answerBytes)
    throw new Error(`${requests} answers of ${answerBytes} bytes are not ${bytes} bytes: some were others`);
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}
