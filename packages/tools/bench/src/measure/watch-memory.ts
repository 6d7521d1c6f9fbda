import { setTimeout as pause } from 'node:timers/promises';
import { residentBytes } from './process-usage.js';

const INTERVAL_MS = 20;

/** The greatest growth of a process's resident memory until the signal, in bytes. */
export async function watchMemory(pid: number, signal: AbortSignal): Promise<number> {
  const before = (await residentBytes(pid)) ?? 0;
  let most = before;
  while (!signal.aborted) {
    most = Math.max(most, (await residentBytes(pid)) ?? 0);
    await pause(INTERVAL_MS);
  }
  return most - before;
}
