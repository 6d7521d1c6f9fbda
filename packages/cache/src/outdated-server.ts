import { OutdatedServerError } from '@vestibule/protocol';
import type { RedisClient } from './redis-client.js';
import { serverInfo } from './server-info.js';

/** The first with users and RESP3. */
const OLDEST_MAJOR = 6;

/** Valkey, too, says which Redis it is compatible with. */
const VERSION = /^redis_version:(\d[\d.]{0,20})\r?$/m;

/** What is wrong with the version of a master that is too old; `undefined` when none is known to be. */
export async function outdatedServer(client: RedisClient): Promise<OutdatedServerError | undefined> {
  const versions = await serverInfo(client, 'server', VERSION);
  const version = versions.find((text) => Number.parseInt(text, 10) < OLDEST_MAJOR);
  return version === undefined ? undefined : new OutdatedServerError(`Redis ${version}`, `${OLDEST_MAJOR}.0`);
}
