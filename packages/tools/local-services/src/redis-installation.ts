import { installDebianPackage } from './debian-package.js';
import { LocalServiceError } from './local-service-error.js';
import { findRedisServer, REDIS_MISSING } from './redis-server.js';

/**
 * Makes sure that a Redis server program is on PATH; installs Debian's package where this process is root and apt is
 * available, without starting a system service.
 * @throws LocalServiceError when it is missing and cannot be installed
 */
export async function installRedisServer(log: (sentence: string) => void = () => undefined): Promise<void> {
  if ((await findRedisServer()) !== undefined) return;
  await installDebianPackage({ name: 'redis-server', missing: REDIS_MISSING, log });
  if ((await findRedisServer()) === undefined) throw new LocalServiceError(REDIS_MISSING);
}
