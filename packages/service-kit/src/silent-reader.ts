import type { Reply } from './fastify-types.js';

/** How often it is looked whether a reader goes on, in milliseconds. */
const SILENCE_MS = 30_000;

/**
 * Ends the connection when nothing of a streamed answer could be sent for a while: it waits for its reader, and holds
 * what it is read from. Answers that are sent at once do not need it.
 *
 * Node.js looks each `silenceMs` whether less waits to be sent than at the look before, so that the end comes after one
 * to two of them without progress, of 30 seconds by default: within a minute, and never while something goes on being
 * sent in time.
 */
export function endWhenUnread(reply: Pick<Reply, 'raw'>, silenceMs = SILENCE_MS): void {
  reply.raw.setTimeout(silenceMs, () => reply.raw.destroy());
}
