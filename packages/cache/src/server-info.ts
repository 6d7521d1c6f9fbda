import type { RedisClient } from './redis-client.js';

/**
 * Reads a value from a section of `INFO`, from each master that reports it and permits the command.
 * @param value pattern that captures the value
 */
export async function serverInfo(
  client: RedisClient,
  section: 'memory' | 'server',
  value: RegExp,
): Promise<readonly string[]> {
  const responses = await Promise.allSettled(client.masters().map((server) => server.info(section)));
  return responses.flatMap((response) => {
    const found = response.status === 'fulfilled' ? value.exec(response.value)?.[1] : undefined;
    return found === undefined ? [] : [found];
  });
}
