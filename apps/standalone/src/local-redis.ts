import type { Logger } from '@vestibule/http/observability';
import { findRedisServer, LocalServiceError, startRedis } from '@vestibule/local-services';
import type { BuildContext } from '@vestibule/service/process';
import { Secret } from '@vestibule/service/settings';
import { startOwned } from './start-owned.js';

/** Options of {@link openLocalRedis}. */
export interface LocalRedisOptions {
  /** The configured Redis. Default: one of our own. */
  readonly url: Secret | undefined;
  readonly logger: Logger;
  /** Called with our own Redis before it is started. */
  readonly own: BuildContext<never>['own'];
}

/**
 * Opens a Redis: the configured one, or, if a server program is installed, one of its own without persistence that
 * stops with the process. `undefined` without one, or if it does not start: Redis is optional.
 */
export async function openLocalRedis({ url, logger, own }: LocalRedisOptions): Promise<Secret | undefined> {
  if (url !== undefined) return url;
  if ((await findRedisServer()) === undefined) return undefined;
  try {
    return new Secret((await startOwned(own, 'local-redis', startRedis)).url);
  } catch (error) {
    if (!(error instanceof LocalServiceError)) throw error;
    logger.warn({ error, dependency: 'redis' }, 'Redis did not start; continuing without it');
    return undefined;
  }
}
