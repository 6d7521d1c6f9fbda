import type { Logger } from './logger.js';
import type { Dependency } from './readiness.js';
import { closeDependencies } from './shutdown.js';
import { StartError } from './start-error.js';

/** What a service that is being built has taken so far. */
export interface StartupCleanup {
  /**
   * Notes a dependency, best before it is made: it is closed when the start fails or is called off.
   * @throws StartError when that has happened already; the dependency is then closed by itself
   */
  readonly own: (dependency: Dependency) => void;
  /** Those that were noted so far, followed by the others of a list, each once. */
  readonly with: (others: readonly Dependency[]) => readonly Dependency[];
  /** Closes what was noted, the last one first. @returns whether everything closed by itself */
  readonly close: (limitMs: number) => Promise<boolean>;
}

/** Keeps what the building of a service takes, so that nothing of it outlives a start that came to nothing. */
export function startupCleanup(logger: Logger): StartupCleanup {
  const held: Dependency[] = [];
  let isEnding = false;
  return {
    own: (dependency) => {
      if (isEnding) {
        dependency.close().catch((error: unknown) => {
          logger.error({ dependency: dependency.name, error }, 'closing a dependency failed');
        });
        throw new StartError('The start was cancelled.');
      }
      held.push(dependency);
    },
    with: (others) => [...new Set([...held, ...others])],
    close: (limitMs) => {
      isEnding = true;
      return closeDependencies(held, logger, limitMs);
    },
  };
}
