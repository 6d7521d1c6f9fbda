import type { ColumnsOf } from './columns.js';
import type { AccessToken } from './generated/client.js';

/** The columns of the table `access_token` except the digest and the payload. */
export const TOKEN_COLUMNS = {
  clientId: 'text',
  subject: 'text',
  username: 'text',
  scope: 'text',
  audience: 'text[]',
  issuer: 'text',
  jti: 'text',
  issuedAt: 'time',
  notBefore: 'time',
  expiresAt: 'time',
  confirmation: 'jsonb',
  actor: 'jsonb',
  data: 'jsonb',
  claims: 'jsonb',
  authorizationId: 'text',
  sessionId: 'text',
} as const satisfies ColumnsOf<AccessToken>;
