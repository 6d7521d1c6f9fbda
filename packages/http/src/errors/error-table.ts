import { type DomainError, type ErrorCode, ThrottledError } from '@vestibule/protocol';

/** `Content-Type` of every JSON response. */
export const JSON_CONTENT_TYPE = 'application/json;charset=UTF-8';

/** Response to a failed request. Without `body`, the response is empty. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Language preferences of a request, unparsed; for responses that end-users read. */
export interface LanguageRequest {
  /** `ui_locales` parameter: space-separated tags in order of preference. */
  readonly uiLocales?: string | undefined;
  /** `Accept-Language` header. */
  readonly acceptLanguage?: string | undefined;
}

/**
 * Converts a failure to its response. By convention it uses only the public members `code` and `description`.
 * @param languages reads the language preferences of the request
 * @param requestId the identifier of the request in the log (`requestId`), for responses that people read
 */
export type ErrorPresenter = (
  error: DomainError,
  languages?: () => LanguageRequest,
  requestId?: string,
) => ErrorResponse;

/**
 * Error responses of a route group by code: those that its operations raise. Any other code is an internal error
 * ({@link presenterOf}).
 */
export type ErrorTable = { readonly [Code in ErrorCode]?: ErrorPresenter };

const INTERNAL: ErrorResponse = { status: 500 };

/** Returns the presenter of a code. A code that the table does not list is a 500 without a body. */
export function presenterOf(table: ErrorTable, code: ErrorCode): ErrorPresenter {
  return table[code] ?? (() => INTERNAL);
}

/**
 * Presents a JSON body with `error` and `error_description` (RFC 6749 section 5.2).
 * @param code value of `error`; default: the code of the failure
 */
export function jsonError(status: number, code?: string): ErrorPresenter {
  return (error) => ({
    status,
    headers: { 'content-type': JSON_CONTENT_TYPE },
    body: JSON.stringify({
      error: code ?? error.code,
      error_description: safeDescription(error.description),
    }),
  });
}

/** Presents a response without a body. */
export function emptyError(status: number): ErrorPresenter {
  const response: ErrorResponse = { status };
  return () => response;
}

/** Adds `Retry-After` in seconds: the value of the error, else one second (RFC 9110 section 10.2.3). */
export function throttledError(presenter: ErrorPresenter): ErrorPresenter {
  return (error, languages, requestId) => {
    const response = presenter(error, languages, requestId);
    const seconds = error instanceof ThrottledError ? error.retryAfterSeconds : 1;
    return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
  };
}

const UNSAFE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/**
 * Reduces a description to the characters that RFC 6749 section 5.2 and RFC 6750 section 3 allow in
 * `error_description`, so that it can be quoted in a header. Descriptions are fixed sentences; this is a safeguard.
 */
export function safeDescription(description: string): string {
  return description.replace(UNSAFE, "'");
}
