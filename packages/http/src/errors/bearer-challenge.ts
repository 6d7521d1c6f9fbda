import { type ErrorPresenter, jsonError } from './error-table.js';
import { safeDescription } from './safe-description.js';

/** Parameters of a Bearer challenge. */
export interface BearerChallenge {
  /** Error code of RFC 6750 section 3.1; absent if the request had no token. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
}

/**
 * Presents a JSON error with `WWW-Authenticate: Bearer` (registration/API.md#errors). With an `error`, the challenge
 * contains the error and the description, separated by commas (RFC 9110 section 11.6.1), and the required scope if the
 * failure names one. Without an `error`, only the body says what is missing.
 */
export function bearerChallenge(status: number, { error }: BearerChallenge = {}): ErrorPresenter {
  const inJson = jsonError(status, error);
  return (failure) => {
    const { description, scope } = failure;
    const params: string[] = [];
    if (error !== undefined) params.push(param('error', error), param('error_description', description));
    if (error !== undefined && scope !== undefined) params.push(param('scope', scope));
    const challenge = params.length === 0 ? 'Bearer' : `Bearer ${params.join(', ')}`;
    const response = inJson(failure);
    return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
  };
}

function param(name: string, value: string): string {
  return `${name}="${safeDescription(value)}"`;
}
