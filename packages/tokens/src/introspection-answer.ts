import type { ClientId, JsonObject, JsonValue } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';
import { withoutProtocolMembers } from './protocol-members.js';

/** What the endpoint answers (RFC 7662 section 2.2, Seed 2.3). */
export type IntrospectionAnswer = JsonObject & { readonly active: boolean };

/** The answer to everything that is not an active token for the caller. */
export const INACTIVE_ANSWER: IntrospectionAnswer = Object.freeze({ active: false });

/** An active token, and what its answer may be made of. */
export interface ActiveTokenView {
  readonly token: AccessToken;
  /** The resource server that asks. */
  readonly caller: ClientId;
  /** The audience as the caller may see it; empty when the token has no explicit one. */
  readonly audience: readonly string[];
}

/**
 * Makes the members of an answer to an active token: the extension point for answers of one's own (Seed 2.3). It is
 * asked for active tokens alone, and `active` is not its to set.
 */
export type AnswerComposer = (view: ActiveTokenView) => JsonObject;

/**
 * The members of Seed 2.3 in their order, then the consented claims; a claim never stands in for a member of the
 * protocol.
 */
export const composeAnswer: AnswerComposer = ({ token, audience }) => {
  const { username, notBefore, subject, jti, confirmation, actor, data, claims } = token;
  // One by one: this is done for every active answer.
  const members: Record<string, JsonValue> = {};
  if (token.scope !== '') members['scope'] = token.scope;
  members['client_id'] = token.clientId;
  if (username !== undefined) members['username'] = username;
  members['token_type'] = tokenType(confirmation);
  members['exp'] = token.expiresAt;
  members['iat'] = token.issuedAt;
  if (notBefore !== undefined) members['nbf'] = notBefore;
  if (subject !== undefined) members['sub'] = subject;
  if (audience.length > 0) members['aud'] = audience;
  members['iss'] = token.issuer;
  if (jti !== undefined) members['jti'] = jti;
  if (confirmation !== undefined) members['cnf'] = confirmation;
  if (actor !== undefined) members['act'] = actor;
  if (data !== undefined) members['dat'] = data;
  return claims === undefined ? members : { ...members, ...withoutProtocolMembers(claims) };
};

/**
 * How a token is used: `DPoP` when its confirmation names the thumbprint of a proof key (RFC 9449 section 6.2), else
 * `Bearer`, for a token that is bound to a certificate too (RFC 8705 section 3).
 */
export function tokenType(confirmation: JsonObject | undefined): 'Bearer' | 'DPoP' {
  return typeof confirmation?.['jkt'] === 'string' ? 'DPoP' : 'Bearer';
}
