import { buildConsole, type SharedParts } from '@vestibule/console';
import type { Store } from '@vestibule/database';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import { type BuildContext, httpServer, listen } from '@vestibule/service/process';
import { StartError } from '@vestibule/service/settings';
import type { StandaloneConfig } from './config.js';
import { settleChanges, type TokenCache } from './settle-changes.js';

/** Whether the console is open; `port_taken` if the port of the demonstration is in use. */
export type ConsoleState = 'open' | 'off' | 'port_taken';

/** What the console shares with the services of the process. */
export interface SharedWithConsole {
  readonly store: Store;
  readonly rateLimits: RateLimitStore;
  readonly cache: TokenCache;
  readonly authorizationServerKeys: SharedParts['authorizationServerKeys'];
}

/**
 * Opens the console on a port of its own, if there is one.
 * @throws StartError if its port cannot be opened and the console is configured
 */
export async function openConsole(
  context: BuildContext<StandaloneConfig>,
  { store, rateLimits, cache, authorizationServerKeys }: SharedWithConsole,
): Promise<ConsoleState> {
  const { settings, logger, ownServer } = context;
  const { console: config } = settings;
  if (config === undefined) return 'off';
  const { server } = buildConsole({ ...context, settings: config }, store, {
    rateLimits,
    authorizationServerKeys,
    countsIntrospections: true,
  });
  settleChanges(server, cache);
  ownServer(httpServer('console', server));
  const { HOST: host, PORT } = config;
  try {
    const port = await listen(server, { host, port: PORT, setting: 'CONSOLE_PORT' });
    logger.info({ host, port, routeGroup: 'console' }, 'listening');
    return 'open';
  } catch (error) {
    if (!(error instanceof StartError) || !config.isDemonstration) throw error;
    logger.info({ error, routeGroup: 'console' }, 'the console is off');
    return 'port_taken';
  }
}
