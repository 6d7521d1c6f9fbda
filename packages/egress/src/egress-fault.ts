import type { EgressFailureReason } from './outcome.js';

/** What is known about a failure besides its reason. Nothing here may hold text from the other side. */
export interface EgressFaultDetails {
  readonly detail?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** How the steps of a request fail inside this package; callers get an outcome instead. */
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

/** The code of a system, TLS or HTTP error. Never its message, which may repeat bytes from the other side. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return ERROR_CODE.test(error.code) ? error.code : undefined;
}

/** Makes a fault of anything that was thrown; what is a fault already stays as it is. */
export function asFault(error: unknown, reason: EgressFailureReason): EgressFault {
  return error instanceof EgressFault ? error : new EgressFault(reason, { detail: errorCodeOf(error) });
}
