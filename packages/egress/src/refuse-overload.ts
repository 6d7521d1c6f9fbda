import { ThrottledError } from '@vestibule/protocol';

/** Whoever waits for room has left by then: twice the time that a request has. */
const RETRY_SECONDS = 5;

/**
 * Refuses a registration because there is no room here to ask someone outside: nothing is wrong with what is
 * registered. That says how busy we are, and nothing about the place.
 * @throws ThrottledError
 */
export function refuseOverload(): never {
  throw new ThrottledError(RETRY_SECONDS, 'no room for requests to the outside');
}
