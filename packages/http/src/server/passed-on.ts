import type { IncomingMessage } from 'node:http';
import { requestMember } from '../observability/request-member.js';

/** What a fast path got for a request that it passes on, because only the route can send it. */
export interface PassedOn {
  readonly outcome: Outcome;
  /** Arrival of the request on the monotonic clock, in milliseconds. */
  readonly arrivedAt: number;
}

/** The body of a response, or why there is none. */
export type Outcome = { readonly body: string } | { readonly error: Error };

const passedOn = requestMember<PassedOn>('passedOn');

/** Marks a request that a fast path passes on, whose body it has read. */
export const passOn = passedOn.set;

/** Returns what the fast path got for a request; `undefined` if there is none, or it left the request to the route. */
export function passedOnBy(request: IncomingMessage): PassedOn | undefined {
  return passedOn.get(request);
}
