import { DomainError, ThrottledError } from '@vestibule/protocol';
import type { StatementPlace } from '../chains/chain-report.js';
import { FederationFailure, isCapacityReason } from '../federation-failure.js';

/**
 * Reads a request; what can be seen to be wrong without a key is the caller's fault.
 * @throws DomainError `invalid_request` in place of every `FederationFailure`; its sentence names members alone.
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

/** When an entity may try again that was refused for want of capacity: those that wait for room have left by then. */
const RETRY_SECONDS = 5;

/** Entity identifiers in the log are cut to so many characters. */
const MAX_SHOWN_LENGTH = 200;

/**
 * The refusal of an entity: `unauthorized_client`, or `too_many_requests` for want of capacity here, which says nothing
 * about the entity.
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

/**
 * The same response for everything that cannot be trusted, so that it reveals nothing about responses of other servers.
 */
export function untrusted(detail: string, cause?: unknown): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail, cause });
}
