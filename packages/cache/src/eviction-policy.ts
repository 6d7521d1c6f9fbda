import { Redis } from 'ioredis';
import type { RedisClient } from './redis-client.js';

/**
 * Policies under which an entry is there until it expires, as long as there is memory for what must not be lost:
 * `volatile-ttl` drops what expires soonest, and tokens expire before the tombstones that guard them.
 */
const SAFE_POLICIES: ReadonlySet<string> = new Set(['noeviction', 'volatile-ttl']);

const POLICY = /^maxmemory_policy:([a-z-]{1,40})\r?$/m;

/** The eviction policy (`maxmemory-policy`) of each master that says so; the user may not be allowed to ask. */
export async function evictionPolicies(client: RedisClient): Promise<readonly string[]> {
  const answers = await Promise.allSettled(masters(client).map((node) => node.info('memory')));
  return answers.flatMap((answer) => {
    const policy = answer.status === 'fulfilled' ? POLICY.exec(answer.value)?.[1] : undefined;
    return policy === undefined ? [] : [policy];
  });
}

/** Whether tombstones and used assertions stay until they expire under a policy. */
export function isSafeEvictionPolicy(policy: string): boolean {
  return SAFE_POLICIES.has(policy);
}

/** The servers that commands go to; in a cluster, those that are known at present. */
export function masters(client: RedisClient): readonly Redis[] {
  return client instanceof Redis ? [client] : client.nodes('master');
}
