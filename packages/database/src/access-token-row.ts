import type { AccessToken } from '@vestibule/tokens';

/** The columns of the table `access_token` except the digest. */
export const TOKEN_COLUMNS = {
  client_id: 'text',
  subject: 'text',
  username: 'text',
  scope: 'text',
  audience: 'text[]',
  issuer: 'text',
  jti: 'text',
  issued_at: 'time',
  not_before: 'time',
  expires_at: 'time',
  confirmation: 'jsonb',
  actor: 'jsonb',
  data: 'jsonb',
  claims: 'jsonb',
  authorization_id: 'text',
  session_id: 'text',
} as const;

/** Converts a token to its row. */
export function tokenToRow(token: AccessToken): Record<keyof typeof TOKEN_COLUMNS, unknown> {
  return {
    client_id: token.clientId,
    subject: token.subject,
    username: token.username,
    scope: token.scope,
    audience: token.audience,
    issuer: token.issuer,
    jti: token.jti,
    issued_at: token.issuedAt,
    not_before: token.notBefore,
    expires_at: token.expiresAt,
    confirmation: token.confirmation,
    actor: token.actor,
    data: token.data,
    claims: token.claims,
    authorization_id: token.authorizationId,
    session_id: token.sessionId,
  };
}
