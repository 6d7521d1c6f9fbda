import type { Reply } from './fastify-types.js';

/** Interval of the progress check, in milliseconds. */
const CHECK_INTERVAL_MS = 30_000;

/**
 * Closes the connection if a streamed response makes no progress for a while, because it waits for a slow client and
 * holds its source. Responses that are sent at once do not need this.
 *
 * Every `intervalMs`, Node.js compares the data that waits to be sent with the previous check. The connection is closed
 * after one to two intervals without progress: within a minute by default (30 seconds), and never while data is being
 * sent in time.
 */
export function closeSlowClient(reply: Pick<Reply, 'raw'>, intervalMs = CHECK_INTERVAL_MS): void {
  reply.raw.setTimeout(intervalMs, () => reply.raw.destroy());
}
