import { DomainError } from '@vestibule/protocol';
import type { Reply } from './fastify-types.js';

/**
 * Refuses a request that was pipelined behind one whose response is not complete. For responses that last until the client
 * leaves: only the response that is being sent is told when the connection closes.
 * @throws DomainError `invalid_request`
 */
export function refusePipelined({ raw }: Pick<Reply, 'raw'>): void {
  if (raw.socket === null)
    throw new DomainError('invalid_request', 'an earlier response on this connection is not complete');
}
