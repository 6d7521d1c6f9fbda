import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@vestibule/http/observability';
import { closeServers, type OpenServer } from './open-server.js';
import type { Dependency, Readiness } from './readiness.js';

/** Parts of a service that are shut down. */
export interface ShutdownParts {
  /** The servers for clients. */
  readonly servers: readonly OpenServer[];
  readonly management: OpenServer;
  readonly readiness: Readiness;
  /** In the order of creation; closed in reverse order. */
  readonly dependencies: readonly Dependency[];
  readonly logger: Logger;
  /** How long the service keeps serving requests after it reports not ready, in milliseconds. */
  readonly drainMs: number;
  /** Time limit of the whole shutdown, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Share of the time after the drain that running requests may use. The rest is for dependencies, even if clients are
 * slow.
 */
export const REQUESTS_SHARE = 2 / 3;

/**
 * Shuts a service down without failing a request. It reports not ready, sends `Connection: close` with every response,
 * waits until load balancers have noticed, closes the ports, lets running requests finish, and closes its dependencies
 * in reverse order. Connections still open after two thirds of the time after the drain are cut, so that dependencies
 * are always closed.
 * @returns whether everything stopped without being cut off
 */
export async function shutDown(parts: ShutdownParts): Promise<boolean> {
  const { servers, management, readiness, dependencies, logger, drainMs, deadlineMs } = parts;
  const deadline = performance.now() + deadlineMs;
  readiness.stop();
  for (const server of servers) server.beginDrain();
  await delay(drainMs);
  const isQuiet = await closeServers(servers, logger, (deadline - performance.now()) * REQUESTS_SHARE);
  const areClosed = await closeDependencies(dependencies, logger, deadline - performance.now());
  await closeServers([management], logger, deadline - performance.now());
  return isQuiet && areClosed;
}

/**
 * Closes dependencies in reverse order.
 * @returns whether all of them closed within the limit
 */
export async function closeDependencies(
  dependencies: readonly Dependency[],
  logger: Logger,
  limitMs: number,
): Promise<boolean> {
  const stop = new AbortController();
  const late = delay(Math.max(0, limitMs), false, { signal: stop.signal }).catch(() => false);
  const closed = await Promise.race([closeInTurn(dependencies.toReversed(), logger), late]);
  stop.abort();
  return closed;
}

async function closeInTurn(dependencies: readonly Dependency[], logger: Logger): Promise<boolean> {
  let areClosed = true;
  for (const { name, close } of dependencies) {
    try {
      await close();
    } catch (error) {
      areClosed = false;
      logger.error({ dependency: name, error }, 'closing a dependency failed');
    }
  }
  return areClosed;
}
