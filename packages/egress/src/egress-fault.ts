import type { EgressFailureReason } from './outcome.js';

/** Details of a failure. Must not contain text from the remote server. */
export interface EgressFaultDetails {
  readonly detail?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failed step of a request, inside this package; callers get an outcome instead. */
export class EgressFault extends Error {
  override readonly name = 'EgressFault';
  readonly reason: EgressFailureReason;
  readonly details: EgressFaultDetails;

  constructor(reason: EgressFailureReason, details: EgressFaultDetails = {}) {
    super(reason);
    this.reason = reason;
    this.details = details;
  }
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** Reads the code of a system, TLS or HTTP error. Never its message, which may contain bytes from the remote server. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return ERROR_CODE.test(error.code) ? error.code : undefined;
}

/** Converts anything that was thrown to an `EgressFault`; an `EgressFault` is returned as it is. */
export function asFault(error: unknown, reason: EgressFailureReason): EgressFault {
  return error instanceof EgressFault ? error : new EgressFault(reason, { detail: errorCodeOf(error) });
}
