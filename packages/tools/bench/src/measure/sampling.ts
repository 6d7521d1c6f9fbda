import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from '../load/connection.js';
import type { RawResponse } from '../load/response-reader.js';
import type { Exchange } from '../workloads/workload.js';

/** Judges answers while load is under way. */
export interface Sampling {
  /** Ends it. @throws Error at the first wrong response there was */
  stop(): Promise<void>;
}

const INTERVAL_MS = 100;

/** Asks one exchange and judges its response. @throws Error when it is wrong */
export async function askAndJudge(
  ask: (request: string) => Promise<RawResponse>,
  { request, problem }: Exchange,
): Promise<RawResponse> {
  const response = await ask(request);
  const wrong = problem(response);
  if (wrong !== undefined) throw new Error(`${wrong}: ${response.status} ${response.body.slice(0, 500)}`);
  return response;
}

/** Asks the exchanges in turn, ten a second, over a connection of its own. */
export async function startSampling(port: number, samples: readonly Exchange[]): Promise<Sampling> {
  const connection = await openConnection(port);
  const stopped = new AbortController();
  const run = async () => {
    for (let i = 0; !stopped.signal.aborted; i += 1) {
      const sample = samples[i % samples.length];
      if (sample === undefined) return;
      await askAndJudge(connection.ask, sample);
      await pause(INTERVAL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    stop: async () => {
      stopped.abort();
      try {
        await running;
      } finally {
        connection.close();
      }
    },
  };
}
