import type { RedisClient } from './redis-client.js';
import { serverInfo } from './server-info.js';

/**
 * Policies under which tombstones and used assertions are kept until they expire, if there is memory for them.
 * `volatile-ttl` evicts the entries that expire soonest, and token states expire before their tombstones.
 */
const SAFE_POLICIES: ReadonlySet<string> = new Set(['noeviction', 'volatile-ttl']);

const POLICY = /^maxmemory_policy:([a-z-]{1,40})\r?$/m;

/** Finds an eviction policy (`maxmemory-policy`) of a master that may evict tombstones and used assertions. */
export async function unsafeEvictionPolicy(client: RedisClient): Promise<string | undefined> {
  return (await serverInfo(client, 'memory', POLICY)).find((policy) => !SAFE_POLICIES.has(policy));
}
