import { randomUUID } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { type ClientId, parseClientId, parseIssuer } from '@vestibule/protocol';
import { parseScope } from '@vestibule/scopes';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import { type Installation, ISSUER } from '../test-environment/installation.js';

/** The two formats of access tokens. */
export type TokenFormat = 'identifier' | 'jwt';

/**
 * A token with its own client, authorization, subject and session, so that each kind of revocation affects only this
 * token.
 */
export interface IsolatedToken {
  readonly name: ClientId;
  readonly token: string;
  readonly format: TokenFormat;
  /** When it expires, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

const TOKEN_LENGTH = 43;

/** A copy of the resource server with another name. */
const INSERT_CLIENT = `INSERT INTO client SELECT (jsonb_populate_record(client, jsonb_build_object(
    'id', $1::text, 'registration_token_digest', NULL, 'registration_token_sealed', NULL
  ))).* FROM client WHERE id = $2`;
const INSERT_AUTHORIZATION = `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
  VALUES ($1, $2, $3, '{}', now())`;

/** Issues a token that shares nothing with other tokens. */
export async function issueIsolatedToken(
  { pool, store, resourceServer }: Installation,
  format: TokenFormat,
  lifetimeSeconds: number,
): Promise<IsolatedToken> {
  const name = parseClientId(`lone-${randomUUID()}`);
  const scope = parseScope('read write');
  if (name === undefined || scope === undefined) throw new TypeError('invalid name or scope of a token');
  await pool.query(INSERT_CLIENT, [name, resourceServer.id]);
  await pool.query(INSERT_AUTHORIZATION, [`authorization-${name}`, name, `subject-${name}`]);
  const nowMs = Date.now();
  const deps = {
    clock: { nowMs: () => nowMs },
    issuer: parseIssuer(ISSUER),
    random: secureRandom,
    digester: store.digester,
    accessTokens: store.database.accessTokens,
    tokenLength: TOKEN_LENGTH,
    keys: store.providerKeys,
    algorithm: 'ES256' as const,
  };
  const grant: AccessTokenGrant = {
    clientId: name,
    scope,
    subject: `subject-${name}`,
    sessionId: `session-${name}`,
    lifetimeSeconds,
    ...(format === 'identifier' && { authorizationId: `authorization-${name}` }),
  };
  const { accessToken } = await (format === 'jwt'
    ? issueJwtToken(deps, grant)
    : issueIdentifierToken(deps, grant));
  const expiresAtMs = (Math.floor(nowMs / 1000) + lifetimeSeconds) * 1000;
  return { name, token: accessToken, format, expiresAtMs };
}

const COPY_TOKEN = `INSERT INTO access_token
  SELECT (jsonb_populate_record(access_token, jsonb_build_object('digest', $1::text))).*
  FROM access_token WHERE digest = $2`;

/** Stores a copy of a token under another value. */
export async function isolatedCopy(
  { pool, store }: Installation,
  model: Pick<IsolatedToken, 'token'>,
  copy: Pick<IsolatedToken, 'token'>,
): Promise<void> {
  const digestOf = ({ token }: Pick<IsolatedToken, 'token'>) =>
    Buffer.from(store.digester.digest('access-token', token));
  await pool.query(COPY_TOKEN, [`\\x${digestOf(copy).toString('hex')}`, digestOf(model)]);
}
