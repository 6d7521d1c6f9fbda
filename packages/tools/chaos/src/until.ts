import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
const PATIENCE_MS = 30_000;

/** Waits until a condition holds; a rejection counts as not yet. @throws when it takes longer than half a minute */
export async function until(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline)
      throw new Error(`the condition did not hold within ${patienceMs / 1000} seconds`);
    await pause(POLL_MS);
  }
}
