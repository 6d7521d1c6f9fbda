import { installDebianPackage } from './debian-package.js';
import { LocalServiceError } from './local-service-error.js';
import { findRedisServer, REDIS_MISSING } from './redis-server.js';

/**
 * Makes sure that a Redis server program is on PATH, installing Debian's package where this process is root and
 * apt is there. No service of the system is started by it.
 * @throws LocalServiceError when there is none and none can be installed.
 */
export async function installRedisServer(log: (sentence: string) => void = () => undefined): Promise<void> {
  if ((await findRedisServer()) !== undefined) return;
  await installDebianPackage({ name: 'redis-server', missing: REDIS_MISSING, log });
  if ((await findRedisServer()) === undefined) throw new LocalServiceError(REDIS_MISSING);
}
