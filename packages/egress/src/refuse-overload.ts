import { ThrottledError } from '@vestibule/protocol';

/** Twice the deadline of a request, so that all requests that wait now are over by then. */
const RETRY_SECONDS = 5;

/**
 * Refuses a registration because the egress is overloaded. The metadata may be valid, and the error says nothing about
 * the address.
 * @throws ThrottledError
 */
export function refuseOverload(): never {
  throw new ThrottledError(RETRY_SECONDS, 'too many outbound requests');
}
