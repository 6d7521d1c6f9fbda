import { type ErrorPresenter, jsonError } from './error-table.js';
import { safeDescription } from './safe-description.js';

/** What a challenge says beside the scheme. */
export interface BearerChallenge {
  /** The error of RFC 6750 section 3.1; left out where no token came. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
}

/**
 * A JSON error with `WWW-Authenticate: Bearer` (registration/API.md#errors). With an `error` the challenge carries it
 * and the description, separated by commas as RFC 9110 section 11.6.1 wants, and the scope that would do where the
 * failure names one; without an `error`, only the body says what is missing.
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
