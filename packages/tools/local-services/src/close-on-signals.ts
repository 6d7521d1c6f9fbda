import type { Closers } from './closers.js';

const EXIT_INTERRUPTED = 130;

/**
 * Stops everything that was started when the command is interrupted, and exits with code 130.
 * @param onSignal called first
 */
export function closeOnSignals(toEnd: Closers, onSignal: () => void = () => undefined): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      onSignal();
      const exit = () => process.exit(EXIT_INTERRUPTED);
      toEnd.closeAll().then(exit, exit);
    });
  }
}
