import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis-client.js';

/**
 * Returns a function to call before each command, so that the commands of one turn of the event loop are sent in one
 * write. That costs half of the client's own pipelining, which remains in use for clusters, where commands go to many
 * servers.
 */
export function sharedTurns(client: RedisClient): () => void {
  let isHeld = false;
  return () => {
    if (isHeld || client instanceof Cluster) return;
    // Undefined before the first connection.
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
