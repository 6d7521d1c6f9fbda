import { type IncomingMessage, ServerResponse } from 'node:http';
import { requestMember } from '../observability/request-member.js';

/** Far more than a client pipelines (RFC 9112 section 9.3.2). */
const MAX_UNANSWERED = 64;

/** A connection was closed because more than 64 of its requests waited for responses. */
export class UnansweredRequestsError extends Error {
  override readonly name = 'UnansweredRequestsError';
}

/** Number of waiting requests of a connection, stored on its socket. */
const unanswered = requestMember<number>('unanswered');

/**
 * A response that counts its request as unanswered from the end of its headers until the whole response was passed to
 * the operating system. A connection with more than 64 unanswered requests is closed. Node stops reading when responses
 * are not consumed, but not when they are not ready yet, so a single connection could fill the memory with requests.
 */
export class CountedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    const { socket } = this.req;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    this.on('finish', countAnswered);
    // Requests received together with these are still parsed.
    if (count > MAX_UNANSWERED && !socket.destroyed) socket.destroy(new UnansweredRequestsError());
  }
}

/** Shared by all responses, because there are many of them. */
function countAnswered(this: ServerResponse): void {
  const { socket } = this.req;
  unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1);
}
