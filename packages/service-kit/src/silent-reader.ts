import type { Reply } from './fastify-types.js';

const SILENCE_MS = 30_000;

/**
 * Ends the connection when nothing of a streamed answer could be sent for a while: it waits for its reader, and holds
 * what it is read from. Answers that are sent at once do not need it.
 */
export function endWhenUnread(reply: Pick<Reply, 'raw'>, silenceMs = SILENCE_MS): void {
  reply.raw.setTimeout(silenceMs, () => reply.raw.destroy());
}
