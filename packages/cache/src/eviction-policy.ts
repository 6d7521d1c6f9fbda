import type { RedisClient } from './redis-client.js';
import { serverInfo } from './server-info.js';

/**
 * Policies under which an entry is there until it expires, as long as there is memory for what must not be lost:
 * `volatile-ttl` drops what expires soonest, and tokens expire before the tombstones that guard them.
 */
const SAFE_POLICIES: ReadonlySet<string> = new Set(['noeviction', 'volatile-ttl']);

const POLICY = /^maxmemory_policy:([a-z-]{1,40})\r?$/m;

/** The eviction policy (`maxmemory-policy`) of a master under which tombstones and used assertions may be dropped. */
export async function unsafeEvictionPolicy(client: RedisClient): Promise<string | undefined> {
  return (await serverInfo(client, 'memory', POLICY)).find((policy) => !SAFE_POLICIES.has(policy));
}
