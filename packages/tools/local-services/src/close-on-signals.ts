import type { Closers } from './closers.js';

const EXIT_INTERRUPTED = 130;

/**
 * Lets a command that is interrupted end what it started before it exits with code 130.
 * @param onSignal done first
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
