import { findRedisServer, LocalServiceError, startRedis } from '@vestibule/local-services';
import type { Logger } from '@vestibule/service-kit';
import type { BuildContext } from '@vestibule/service-kit/process';
import { Secret } from '@vestibule/service-kit/settings';
import { startOwned } from './start-owned.js';

/** What a Redis is opened with. */
export interface LocalRedisOptions {
  /** The configured one; one of our own when absent. */
  readonly url: Secret | undefined;
  readonly logger: Logger;
  /** Told of our own Redis before it is started. */
  readonly own: BuildContext<never>['own'];
}

/**
 * Gives the process a Redis: the configured one, or one of its own that forgets everything when the process ends, where
 * a server program is installed. `undefined` without one, or when it does not start: Redis is never needed.
 */
export async function openLocalRedis({ url, logger, own }: LocalRedisOptions): Promise<Secret | undefined> {
  if (url !== undefined) return url;
  if ((await findRedisServer()) === undefined) return undefined;
  try {
    return new Secret((await startOwned(own, 'local-redis', startRedis)).url);
  } catch (error) {
    if (!(error instanceof LocalServiceError)) throw error;
    logger.warn({ error, dependency: 'redis' }, 'there is no Redis');
    return undefined;
  }
}
