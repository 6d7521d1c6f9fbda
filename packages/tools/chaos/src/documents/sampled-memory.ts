import { repeating } from '../faults/repeating.js';
import type { ServiceUnderFault } from '../processes/service.js';

const SAMPLE_EVERY_MS = 500;
const METRIC = 'process_resident_memory_bytes';

/** The memory of processes over time. */
export interface SampledMemory {
  /** The most that a process has grown by, in bytes. */
  grownBytes(): number;
  stop(): Promise<void>;
}

/** Samples the resident memory of services from now on. */
export async function sampleMemory(services: readonly ServiceUnderFault[]): Promise<SampledMemory> {
  const read = () => Promise.all(services.map(residentBytes));
  const before = await read();
  const most = [...before];
  const stop = repeating(SAMPLE_EVERY_MS, async () => {
    for (const [index, bytes] of (await read()).entries()) most[index] = Math.max(most[index] ?? 0, bytes);
  });
  return { grownBytes: () => Math.max(...most.map((bytes, index) => bytes - (before[index] ?? 0))), stop };
}

async function residentBytes({ metrics }: ServiceUnderFault): Promise<number> {
  for (const [name, value] of await metrics()) if (name.startsWith(METRIC)) return value;
  throw new Error(`there is no metric ${METRIC}`);
}
