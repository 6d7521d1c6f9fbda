import { type IncomingMessage, ServerResponse } from 'node:http';
import { requestMember } from './request-member.js';

/** Far more than a client has under way that sends requests without waiting (RFC 9112 section 9.3.2). */
const MAX_UNANSWERED = 64;

/** Why a connection was cut: more of its requests than 64 waited for their responses. */
export class UnansweredRequestsError extends Error {
  override readonly name = 'UnansweredRequestsError';
}

/** How many requests of a connection wait, kept on its socket. */
const unanswered = requestMember<number>('unanswered');

/**
 * The response to a request, whoever gives it: the request counts as unanswered from the end of its head until all of
 * the answer was given to the system. A connection of which more than 64 requests wait is cut. Node stops reading when
 * answers are not taken, but not when they are not there yet, so that one connection could fill the memory with
 * requests.
 */
export class CountedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    const { socket } = this.req;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    this.on('finish', countAnswered);
    // What it sent together with these is still parsed to the end.
    if (count > MAX_UNANSWERED && !socket.destroyed) socket.destroy(new UnansweredRequestsError());
  }
}

/** One for all responses, as there are many of them. */
function countAnswered(this: ServerResponse): void {
  const { socket } = this.req;
  unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1);
}
