import { Redis } from 'ioredis';
import type { RedisClient } from './redis-client.js';

/** The servers that commands go to; in a cluster, those that are known at present. */
export function masters(client: RedisClient): readonly Redis[] {
  return client instanceof Redis ? [client] : client.nodes('master');
}

/**
 * A value in a section of `INFO`, of each master that says it; the user may not be allowed to ask.
 * @param value captures it
 */
export async function serverInfo(
  client: RedisClient,
  section: 'memory' | 'server',
  value: RegExp,
): Promise<readonly string[]> {
  const responses = await Promise.allSettled(masters(client).map((node) => node.info(section)));
  return responses.flatMap((response) => {
    const found = response.status === 'fulfilled' ? value.exec(response.value)?.[1] : undefined;
    return found === undefined ? [] : [found];
  });
}
