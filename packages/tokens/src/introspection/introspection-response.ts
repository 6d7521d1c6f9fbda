import type { ClientId } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { AccessToken } from '../access-token.js';
import { withoutProtocolMembers } from '../issuing/protocol-members.js';

/** An introspection response (RFC 7662 section 2.2, introspection/API.md#response). */
export type IntrospectionResponse = JsonObject & { readonly active: boolean };

/** The response for everything that is not an active token for the caller. */
export const INACTIVE_RESPONSE: IntrospectionResponse = Object.freeze({ active: false });

/** An active token as its caller may see it. */
export interface ActiveTokenView {
  readonly token: AccessToken;
  /** The resource server that sent the request. */
  readonly caller: ClientId;
  /** The audience as the caller may see it; empty when the token has no explicit one. */
  readonly audience: readonly string[];
  /** The scope as the caller may see it; empty when no value is left. */
  readonly scope: string;
}

/**
 * Composes the members of an active response: the extension point for custom responses
 * (introspection/API.md#response). It is called for active tokens only and cannot set `active`.
 */
export type ResponseComposer = (view: ActiveTokenView) => JsonObject;

/**
 * The members of RFC 7662 section 2.2, `sid`, `cnf`, `act` and `dat`, then the other claims of the token, such as
 * `acr`, `auth_time` (RFC 9470 section 6.2) and `authorization_details` (RFC 9396 section 9.2); a claim never replaces
 * a member of the protocol.
 */
export const composeResponse: ResponseComposer = (view) => addMembers({}, view);

/** Builds the response for an active token, with a custom composer or the default one. */
export function activeResponse(view: ActiveTokenView, compose?: ResponseComposer): IntrospectionResponse {
  const response: Members & { active: boolean } = { active: true };
  if (compose === undefined) return addMembers(response, view);
  const members = compose(view);
  for (const name in members) {
    const value = members[name];
    if (name !== 'active' && value !== undefined) response[name] = value;
  }
  return response;
}

type Members = Record<string, JsonValue>;

/** Assigns members one by one into the response itself, because this runs for every active response. */
function addMembers<ApiResponse extends Members>(
  members: ApiResponse,
  { token, audience, scope }: ActiveTokenView,
): ApiResponse {
  const { username, notBefore, subject, jti, sessionId, confirmation, actor, data, claims } = token;
  const response: Members = members;
  if (scope !== '') response['scope'] = scope;
  response['client_id'] = token.clientId;
  if (username !== undefined) response['username'] = username;
  response['token_type'] = tokenType(confirmation);
  response['exp'] = token.expiresAt;
  response['iat'] = token.issuedAt;
  if (notBefore !== undefined) response['nbf'] = notBefore;
  if (subject !== undefined) response['sub'] = subject;
  if (audience.length > 0) response['aud'] = audience;
  response['iss'] = token.issuer;
  if (jti !== undefined) response['jti'] = jti;
  if (sessionId !== undefined) response['sid'] = sessionId;
  if (confirmation !== undefined) response['cnf'] = confirmation;
  if (actor !== undefined) response['act'] = actor;
  if (data !== undefined) response['dat'] = data;
  return claims === undefined ? members : Object.assign(members, withoutProtocolMembers(claims));
}

/**
 * Returns the token type: `DPoP` when the confirmation has the thumbprint of a proof key (RFC 9449 section 6.2), else
 * `Bearer`, also for a token that is bound to a certificate (RFC 8705 section 3).
 */
export function tokenType(confirmation: JsonObject | undefined): 'Bearer' | 'DPoP' {
  return typeof confirmation?.['jkt'] === 'string' ? 'DPoP' : 'Bearer';
}
