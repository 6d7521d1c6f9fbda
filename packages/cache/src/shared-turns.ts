import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis-client.js';

/**
 * To be called before a command: what is sent to a server in one turn of the event loop then travels in one write,
 * which costs half of what the client's own bundling costs. That one is left to clusters, where commands go to many
 * servers.
 */
export function sharedTurns(client: RedisClient): () => void {
  let isHeld = false;
  return () => {
    if (isHeld || client instanceof Cluster) return;
    // There is none before the first connection.
    const stream: Redis['stream'] | undefined = client.stream;
    if (stream === undefined) return;
    isHeld = true;
    stream.cork();
    setImmediate(() => {
      isHeld = false;
      stream.uncork();
    });
  };
}
