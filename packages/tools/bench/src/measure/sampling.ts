import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from '../load/connection.js';
import type { RawResponse } from '../load/response-reader.js';
import type { Exchange } from '../workloads/workload.js';

/** Checks sample responses during a load. */
export interface Sampling {
  /** Stops it. @throws Error for the first wrong response */
  stop(): Promise<void>;
}

const INTERVAL_MS = 100;

/** Sends the request of an exchange and checks its response. @throws Error when it is wrong */
export async function requestAndCheck(
  send: (request: string) => Promise<RawResponse>,
  { request, problem }: Exchange,
): Promise<RawResponse> {
  const response = await send(request);
  const wrong = problem(response);
  if (wrong !== undefined) throw new Error(`${wrong}: ${response.status} ${response.body.slice(0, 500)}`);
  return response;
}

/** Repeats the exchanges, ten per second, over a separate connection. */
export async function startSampling(port: number, samples: readonly Exchange[]): Promise<Sampling> {
  const connection = await openConnection(port);
  const stopped = new AbortController();
  const run = async () => {
    for (let i = 0; !stopped.signal.aborted; i += 1) {
      const sample = samples[i % samples.length];
      if (sample === undefined) return;
      await requestAndCheck(connection.send, sample);
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
