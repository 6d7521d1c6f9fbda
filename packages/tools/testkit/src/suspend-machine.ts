import { onTestFinished, vi } from 'vitest';

/**
 * Suspends the machine for that time as far as its clocks show: the wall clock continues, the monotonic one does not.
 * The clocks are restored when the test ends.
 */
export function suspendMachine(ms: number): void {
  const now = performance.now.bind(performance);
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => now() - ms);
  onTestFinished(() => monotonic.mockRestore());
}
