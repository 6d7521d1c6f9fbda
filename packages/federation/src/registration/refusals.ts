import { DomainError, ThrottledError } from '@vestibule/protocol';
import type { StatementPlace } from '../chains/chain-report.js';
import { FederationFailure, isCapacityReason } from '../federation-failure.js';

/**
 * Parses a request; a defect that can be found without a key is an error of the caller.
 * @throws DomainError `invalid_request` in place of every `FederationFailure`; its description only names members.
 */
export function orMalformed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof FederationFailure)) throw cause;
    const description = `The request is not acceptable: ${cause.message}.`;
    throw new DomainError('invalid_request', description, {
      detail: `${cause.reason}: ${cause.message}`,
      cause,
    });
  }
}

/** Retry-After of a refusal for lack of capacity: the requests that are waiting now are done by then. */
const RETRY_SECONDS = 5;

/** Entity identifiers in the log are truncated to this number of characters. */
const MAX_SHOWN_LENGTH = 200;

/**
 * The refusal of an entity: `unauthorized_client`, or `too_many_requests` for our lack of capacity, which is not about
 * the entity.
 * @param failedAt The statement that caused it, for the log.
 */
export function refusalOf(failure: FederationFailure, failedAt?: StatementPlace): DomainError {
  const place =
    failedAt === undefined
      ? ''
      : ` (statement of ${shown(failedAt.issuer)} about ${shown(failedAt.subject)})`;
  const detail = `${failure.reason}: ${failure.message}${place}`;
  return isCapacityReason(failure.reason)
    ? new ThrottledError(RETRY_SECONDS, detail, failure)
    : untrusted(detail, failure);
}

function shown(entity: string): string {
  return entity.slice(0, MAX_SHOWN_LENGTH);
}

/** The same response for every untrusted entity, so that it reveals nothing about responses of other servers. */
export function untrusted(detail: string, cause?: unknown): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail, cause });
}
