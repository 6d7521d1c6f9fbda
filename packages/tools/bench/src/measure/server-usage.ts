import { SERVER_CORE } from '../load/pinning.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { OpenTarget } from '../workloads/workload.js';
import { coreBusyMicros, processMicros } from './process-usage.js';

/** Resource use since a moment; `undefined` where the system does not report it. */
export interface ServerUsage {
  /** CPU time of the server process. */
  readonly cpuMicros: number | undefined;
  /** CPU time of everything on the server's core. */
  readonly coreMicros: number | undefined;
  /** Duration of the observation: the load, and a margin before and after it. */
  readonly watchedSeconds: number;
}

/** Starts counting. @returns a function that gives the usage since then */
export async function watchUsage(
  { pinning }: TestEnvironment,
  { pid }: OpenTarget,
): Promise<() => Promise<ServerUsage>> {
  const read = async () => ({
    cpu: pid === undefined ? undefined : await processMicros(pid),
    core: pinning.isPinned ? await coreBusyMicros(SERVER_CORE) : undefined,
  });
  const startedAt = performance.now();
  const before = await read();
  return async () => {
    const after = await read();
    return {
      cpuMicros: difference(after.cpu, before.cpu),
      coreMicros: difference(after.core, before.core),
      watchedSeconds: (performance.now() - startedAt) / 1000,
    };
  };
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}
