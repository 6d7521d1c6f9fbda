import type { Reply } from './fastify-types.js';

/** Interval of the progress check, in milliseconds. */
const SILENCE_MS = 30_000;

/**
 * Closes the connection if a streamed response makes no progress for a while, because it waits for a slow client and
 * holds its source. Responses that are sent at once do not need this.
 *
 * Every `silenceMs`, Node.js compares the data that waits to be sent with the previous check. The connection is closed
 * after one to two intervals without progress: within a minute by default (30 seconds), and never while data is being
 * sent in time.
 */
export function endWhenUnread(reply: Pick<Reply, 'raw'>, silenceMs = SILENCE_MS): void {
  reply.raw.setTimeout(silenceMs, () => reply.raw.destroy());
}
