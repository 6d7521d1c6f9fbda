import type { ErrorCode } from './error-codes.js';

/** What a domain error carries besides its code. */
export interface DomainErrorDetails {
  /** A sentence for operators: logged, never sent. */
  readonly detail?: string;
  /** What caused it: logged, never sent. */
  readonly cause?: unknown;
  /** The scope that an access token would need, in the characters of RFC 6749 section 3.3; sent in challenges. */
  readonly scope?: string | undefined;
}

/**
 * The request fails, for a reason that the caller may know.
 *
 * `description` is public: a fixed English sentence in the characters that RFC 6749 section 5.2 allows (no quotes, no
 * backslash, no line ends), which names members but never repeats a value from the request. `detail` and `cause` are
 * for the log alone. How a code looks on the wire is decided by one table per route group.
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
