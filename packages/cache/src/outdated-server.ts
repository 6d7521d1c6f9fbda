import { OutdatedServerError } from '@vestibule/protocol';
import type { RedisClient } from './redis-client.js';
import { serverInfo } from './server-info.js';

/** The first version with ACL users and RESP3. */
const OLDEST_MAJOR = 6;

/** Valkey reports the Redis version that it is compatible with here. */
const VERSION = /^redis_version:(\d[\d.]{0,20})\r?$/m;

/** Finds a master whose version is too old; `undefined` when none is known to be. */
export async function outdatedServer(client: RedisClient): Promise<OutdatedServerError | undefined> {
  const versions = await serverInfo(client, 'server', VERSION);
  const version = versions.find((text) => Number.parseInt(text, 10) < OLDEST_MAJOR);
  return version === undefined ? undefined : new OutdatedServerError(`Redis ${version}`, `${OLDEST_MAJOR}.0`);
}
