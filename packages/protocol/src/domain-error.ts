import type { ErrorCode } from './error-codes.js';

/** Optional parts of a domain error. */
export interface DomainErrorDetails {
  /** A message for operators: logged, never sent. */
  readonly detail?: string;
  /** The cause: logged, never sent. */
  readonly cause?: unknown;
  /** The required scope, in the characters of RFC 6749 section 3.3; sent in challenges. */
  readonly scope?: string | undefined;
}

/**
 * A failure of the request, with a reason that the caller may know.
 *
 * `description` is public: a fixed English sentence in the characters that RFC 6749 section 5.2 allows (no quotes,
 * backslashes or line breaks). It names members and never quotes a value of the request. `detail` and `cause` are only
 * logged. One table per route group maps codes to HTTP responses.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly description: string;
  readonly detail: string | undefined;
  readonly scope: string | undefined;

  constructor(code: ErrorCode, description: string, { detail, cause, scope }: DomainErrorDetails = {}) {
    super(detail ?? description, cause === undefined ? undefined : { cause });
    this.code = code;
    this.description = description;
    this.detail = detail;
    this.scope = scope;
  }
}
