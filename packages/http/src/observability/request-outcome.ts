import type { DomainError } from '@vestibule/protocol';
import type { Request } from '../server/fastify-types.js';
import { requestMember } from './request-member.js';

/** Why a request failed: the public error and its cause. */
export interface Failure {
  readonly error: DomainError;
  /** The thrown value, if it differs from the error. */
  readonly thrown: unknown;
}

const failures = requestMember<Failure>('failure');

/** Stores why a request failed, until its log line is written. */
export function noteFailure(request: Pick<Request, 'raw'>, failure: Failure): void {
  failures.set(request.raw, failure);
}

/** Returns why the request failed, if it did. */
export function failureOf(request: Pick<Request, 'raw'>): Failure | undefined {
  return failures.get(request.raw);
}
