import { onTestFinished, vi } from 'vitest';

/**
 * Suspends the machine for so long, for all that its clocks tell: the wall clock went on meanwhile, the monotonic one
 * did not. The clock is as before when the test ends.
 */
export function suspendMachine(ms: number): void {
  const now = performance.now.bind(performance);
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => now() - ms);
  onTestFinished(() => monotonic.mockRestore());
}
