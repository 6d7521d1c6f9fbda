import { beginDrain, type Server } from '@vestibule/http';
import type { Logger } from '@vestibule/http/observability';

/** A server with a port, which drains and closes with its service. */
export interface OpenServer {
  /** Name in logs. */
  readonly name: string;
  /** Tells clients and load balancers that the server will close. It still responds to requests. */
  beginDrain(): void;
  /**
   * Takes no further connections and waits for running requests. Those that still run at the limit are cut off.
   * @returns whether none was cut off
   */
  close(limitMs: number): Promise<boolean>;
}

const IDLE_SWEEP_MS = 50;

/** An HTTP server that `createServer` made. It need not listen yet. */
export function httpServer(name: string, server: Server): OpenServer {
  return { name, beginDrain: () => beginDrain(server), close: (limitMs) => closeHttp(server, limitMs) };
}

/** Connections that become idle during the close are closed too, because they would otherwise be kept alive. */
async function closeHttp(server: Server, limitMs: number): Promise<boolean> {
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

/**
 * Closes servers side by side, each with the same limit. Logs what fails.
 * @returns whether no request was cut off and none failed to close
 */
export async function closeServers(
  servers: readonly OpenServer[],
  logger: Logger,
  limitMs: number,
): Promise<boolean> {
  const closed = await Promise.all(
    servers.map(async (server) => {
      try {
        return await server.close(limitMs);
      } catch (error) {
        logger.error({ dependency: server.name, error }, 'closing a server failed');
        return false;
      }
    }),
  );
  return closed.every((isQuiet) => isQuiet);
}
