import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './fastify-types.js';
import type { Logger } from './logger.js';
import type { Dependency, Readiness } from './readiness.js';
import { beginDrain } from './server-context.js';

/** What a service consists of when it ends. */
export interface ShutdownParts {
  readonly server: Server;
  readonly management: Server;
  readonly readiness: Readiness;
  /** In the order in which they were made; closed in reverse. */
  readonly dependencies: readonly Dependency[];
  readonly logger: Logger;
  /** How long the service still answers after it said that it is not ready, in milliseconds. */
  readonly drainMs: number;
  /** When everything has ended, or is left as it is, in milliseconds from the start. */
  readonly deadlineMs: number;
}

const IDLE_SWEEP_MS = 50;
/** How much of the time after the drain running requests may take. The rest is for dependencies, whoever drips what. */
const REQUESTS_SHARE = 2 / 3;

/**
 * Ends a service without failing a request: it reports that it is not ready, asks every peer to leave with its next
 * answer, waits until load balancers have noticed, closes the port, lets running requests finish, and then closes its
 * dependencies, the last one first. Connections that are still open when two thirds of the time after the drain are
 * over are cut, so that dependencies are closed in every case.
 * @returns whether everything ended by itself
 */
export async function shutDown(parts: ShutdownParts): Promise<boolean> {
  const { server, management, readiness, dependencies, logger, drainMs, deadlineMs } = parts;
  const deadline = performance.now() + deadlineMs;
  readiness.stop();
  beginDrain(server);
  await delay(drainMs);
  const isQuiet = await closeServer(server, (deadline - performance.now()) * REQUESTS_SHARE);
  const areClosed = await closeDependencies(dependencies, logger, deadline - performance.now());
  await closeServer(management, deadline - performance.now());
  return isQuiet && areClosed;
}

/** A connection whose last response was on its way when closing began would otherwise be kept alive and waited for. */
async function closeServer(server: Server, limitMs: number): Promise<boolean> {
  let wasCut = false;
  const sweep = setInterval(() => server.server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => {
    wasCut = true;
    server.server.closeAllConnections();
  }, limitMs);
  try {
    await server.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
  return !wasCut;
}

/** Closes dependencies, the last one first. @returns whether all of them did within the limit */
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
