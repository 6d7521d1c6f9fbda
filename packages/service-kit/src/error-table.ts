import { type DomainError, type ErrorCode, ThrottledError } from '@vestibule/protocol';
import { safeDescription } from './safe-description.js';

/** `Content-Type` of every JSON response, in one spelling. */
export const JSON_CONTENT_TYPE = 'application/json;charset=UTF-8';

/** How a failure looks on the wire. Without `body` the response is empty. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a request says of languages, as it came; for responses that people read. */
export interface LanguageRequest {
  /** The parameter `ui_locales`: tags in order of preference, separated by spaces. */
  readonly uiLocales?: string | undefined;
  /** The header `Accept-Language`. */
  readonly acceptLanguage?: string | undefined;
}

/**
 * Turns a failure into its response; sees the public members alone by convention: `code` and `description`.
 * @param languages reads what the request says of languages
 */
export type ErrorPresenter = (error: DomainError, languages?: () => LanguageRequest) => ErrorResponse;

/** How one route group presents failures. Total: a new code does not compile until each route group has decided. */
export type ErrorTable = { readonly [Code in ErrorCode]: ErrorPresenter };

/**
 * A JSON body with `error` and `error_description` (RFC 6749 section 5.2). @param code the wire code, by default the
 * error's own
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

/** No body at all. */
export function emptyError(status: number): ErrorPresenter {
  const response: ErrorResponse = { status };
  return () => response;
}

/** The same response with `Retry-After` in seconds: what the error says, else one second (RFC 9110 section 10.2.3). */
export function throttledError(presenter: ErrorPresenter): ErrorPresenter {
  return (error, languages) => {
    const response = presenter(error, languages);
    const seconds = error instanceof ThrottledError ? error.retryAfterSeconds : 1;
    return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
  };
}
