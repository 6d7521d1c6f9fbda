import type { Logger } from '@vestibule/http/observability';
import { StartError } from './process-host.js';
import type { Dependency } from './readiness.js';
import { closeDependencies } from './shutdown.js';

/** Dependencies that a service has acquired during its startup. */
export interface StartupCleanup {
  /**
   * Registers a dependency, ideally before it is created. It is closed if the start fails or is cancelled.
   * @throws StartError if that has already happened; the dependency is then closed
   */
  readonly own: (dependency: Dependency) => void;
  /** Returns the registered dependencies followed by the others, each once. */
  readonly with: (others: readonly Dependency[]) => readonly Dependency[];
  /**
   * Closes the registered dependencies in reverse order.
   * @returns whether all of them closed within the limit
   */
  readonly close: (limitMs: number) => Promise<boolean>;
}

/** Tracks the dependencies acquired during startup, so that none outlives a failed start. */
export function startupCleanup(logger: Logger): StartupCleanup {
  const held: Dependency[] = [];
  let isClosing = false;
  return {
    own: (dependency) => {
      if (isClosing) {
        dependency.close().catch((error: unknown) => {
          logger.error({ dependency: dependency.name, error }, 'closing a dependency failed');
        });
        throw new StartError('The start was cancelled.');
      }
      held.push(dependency);
    },
    with: (others) => [...new Set([...held, ...others])],
    close: (limitMs) => {
      isClosing = true;
      return closeDependencies(held, logger, limitMs);
    },
  };
}
