import type { DomainError } from '@vestibule/protocol';
import type { Request } from './fastify-types.js';
import { requestMember } from './request-member.js';

/** Why a request failed: what the caller is told and what happened. */
export interface Failure {
  readonly error: DomainError;
  /** What was thrown, where that is more than the error itself. */
  readonly thrown: unknown;
}

const failures = requestMember<Failure>('failure');

/** Remembers why a request failed until its one log line is written. */
export function noteFailure(request: Pick<Request, 'raw'>, failure: Failure): void {
  failures.set(request.raw, failure);
}

/** Why the request failed, if it did. */
export function failureOf(request: Pick<Request, 'raw'>): Failure | undefined {
  return failures.get(request.raw);
}
