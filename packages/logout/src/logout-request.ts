import { DomainError } from '@vestibule/protocol';

/**
 * The parameters of a logout request (logout/API.md#logout, OpenID Connect RP-Initiated Logout 1.0 section 2), in a
 * fixed order.
 */
export const LOGOUT_PARAMETERS = [
  'id_token_hint',
  'logout_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
] as const;

/** A parameter of a logout request. */
export type LogoutParameter = (typeof LOGOUT_PARAMETERS)[number];

/** The parameters with which a client sends an end-user to log out; none of them is verified. */
export type LogoutRequest = { readonly [Name in LogoutParameter]?: string };

/** Maximum length of `state`, in bytes of UTF-8. */
export const STATE_MAX_BYTES = 2_048;

/**
 * Parses the parameters of a logout request. An empty parameter counts as absent; unknown ones are ignored.
 * @throws DomainError `invalid_request` if `state` is too long
 */
export function parseLogoutRequest(fields: Readonly<Record<string, unknown>>): LogoutRequest {
  const given = LOGOUT_PARAMETERS.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  const request: LogoutRequest = Object.fromEntries(given);
  if (new TextEncoder().encode(request.state ?? '').length > STATE_MAX_BYTES)
    throw new DomainError('invalid_request', `state: must have at most ${STATE_MAX_BYTES} bytes`);
  return request;
}

/** Serializes a request: equal texts stand for equal requests. */
export function requestText(request: LogoutRequest): string {
  return JSON.stringify(LOGOUT_PARAMETERS.map((name) => request[name] ?? null));
}
