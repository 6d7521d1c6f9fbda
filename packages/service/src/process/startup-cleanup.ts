import type { Logger } from '@vestibule/http/observability';
import { closeServers, type OpenServer } from './open-server.js';
import { StartError } from './process-host.js';
import type { Dependency } from './readiness.js';
import { closeDependencies, REQUESTS_SHARE } from './shutdown.js';

/** Dependencies and servers that a service has acquired during its startup. */
export interface StartupCleanup {
  /**
   * Registers a dependency, ideally before it is created. It is closed if the start fails or is cancelled.
   * @throws StartError if that has already happened; the dependency is then closed
   */
  readonly own: (dependency: Dependency) => void;
  /**
   * Registers a server. It is closed if the start fails or is cancelled.
   * @throws StartError if that has already happened; the server is then closed
   */
  readonly ownServer: (server: OpenServer) => void;
  /** The registered servers. */
  readonly servers: readonly OpenServer[];
  /** Returns the registered dependencies followed by the others, each once. */
  readonly with: (others: readonly Dependency[]) => readonly Dependency[];
  /**
   * Closes the registered servers, then the registered dependencies in reverse order.
   * @returns whether all of them closed within the limit
   */
  readonly close: (limitMs: number) => Promise<boolean>;
}

/** Tracks the dependencies and servers acquired during startup, so that none outlives a failed start. */
export function startupCleanup(logger: Logger): StartupCleanup {
  const held: Dependency[] = [];
  const servers: OpenServer[] = [];
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
    ownServer: (server) => {
      if (isClosing) {
        void closeServers([server], logger, 0);
        throw new StartError('The start was cancelled.');
      }
      servers.push(server);
    },
    servers,
    with: (others) => [...new Set([...held, ...others])],
    close: async (limitMs) => {
      isClosing = true;
      const deadline = performance.now() + limitMs;
      const areQuiet = await closeServers(servers, logger, limitMs * REQUESTS_SHARE);
      return (await closeDependencies(held, logger, deadline - performance.now())) && areQuiet;
    },
  };
}
