import { Redis } from 'ioredis';
import type { RedisClient } from './redis-client.js';

/** Lists the servers that commands are sent to; in a cluster, the masters that are known now. */
export function masters(client: RedisClient): readonly Redis[] {
  return client instanceof Redis ? [client] : client.nodes('master');
}

/**
 * Reads a value from a section of `INFO`, from each master that reports it and permits the command.
 * @param value pattern that captures the value
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
