import { randomAlphanumeric, secureRandom } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { type ClientId, parseClientId, parseIssuer, systemClock } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { parseScope } from '@vestibule/scopes';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import { revokeOwnToken } from '@vestibule/tokens/revocation';
import { type Installation, ISSUER } from './installation.js';
import type { IssuedToken } from './issued-token.js';

/** The scope of every token. */
export const TOKEN_SCOPE = 'openid profile read write';

const LIFETIME_SECONDS = 30 * 86_400;
const TOKEN_LENGTH = 43;
const ROWS_AT_ONCE = 5_000;
const SIGNED_AT_ONCE = 200;
const SUBJECT_DIGITS = 8;

/** Subjects have a fixed length, so that every response has the same size. */
export function subjectOf(index: number): string {
  return `user-${String(index).padStart(SUBJECT_DIGITS, '0')}`;
}

/**
 * Issues identifier-based tokens for a resource server: the first one as the services do, the others as copies of its
 * row with other digests and subjects.
 */
export async function issueIdentifierTokens(
  installation: Installation,
  clientId: string,
  count: number,
): Promise<readonly IssuedToken[]> {
  const { store, pool } = installation;
  const { digester, database } = store;
  const deps = { ...issuing(), digester, accessTokens: database.accessTokens, tokenLength: TOKEN_LENGTH };
  const { accessToken } = await issueIdentifierToken(deps, grant(clientId, subjectOf(0)));
  const template = digester.digest('access-token', accessToken);
  const issued: IssuedToken[] = [{ token: accessToken, subject: subjectOf(0) }];
  while (issued.length < count) {
    const length = Math.min(ROWS_AT_ONCE, count - issued.length);
    const fresh = Array.from({ length }, (_, i) => ({
      token: randomAlphanumeric(TOKEN_LENGTH),
      subject: subjectOf(issued.length + i),
    }));
    const digests = fresh.map(({ token }) => digester.digest('access-token', token));
    const subjects = fresh.map(({ subject }) => subject);
    await copyRow(installation, template, {
      source: 'unnest($2::bytea[], $3::text[])',
      values: [digests, subjects],
    });
    issued.push(...fresh);
  }
  await pool.query('ANALYZE access_token');
  return issued;
}

/** The source of digests and subjects for copied rows. */
interface CopySource {
  /** An expression of two columns. */
  readonly source: string;
  /** The parameters from `$2` on. */
  readonly values: readonly unknown[];
}

/** Inserts copies of a token's row. */
export async function copyRow({ pool }: Installation, template: Digest, { source, values }: CopySource) {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'access_token'
        AND column_name NOT IN ('digest', 'subject')`,
  );
  const names = rows.map(({ name }) => `"${name}"`);
  await pool.query(
    `INSERT INTO access_token (digest, subject, ${names.join(', ')})
      SELECT fresh.digest, fresh.subject, ${names.map((name) => `template.${name}`).join(', ')}
      FROM access_token AS template, ${source} AS fresh (digest, subject)
      WHERE template.digest = $1`,
    [template, ...values],
  );
}

/** Issues self-contained tokens for a resource server. */
export async function issueJwtTokens(
  { store }: Installation,
  clientId: string,
  { algorithm, count }: { readonly algorithm: AsymmetricAlgorithm; readonly count: number },
): Promise<readonly IssuedToken[]> {
  const deps = { ...issuing(), keys: store.providerKeys, algorithm };
  const issued: IssuedToken[] = [];
  while (issued.length < count) {
    const length = Math.min(SIGNED_AT_ONCE, count - issued.length);
    const subjects = Array.from({ length }, (_, i) => subjectOf(issued.length + i));
    const tokens = await Promise.all(
      subjects.map((subject) => issueJwtToken(deps, grant(clientId, subject))),
    );
    issued.push(...tokens.map(({ accessToken }, i) => ({ token: accessToken, subject: subjects[i] ?? '' })));
  }
  return issued;
}

/** Revokes a token of either format. @throws Error for an unknown one */
export async function revokeToken(
  { store }: Installation,
  clientId: string,
  { token }: IssuedToken,
): Promise<void> {
  const { digester, database, providerKeys: keys } = store;
  const { accessTokens, revocations } = database;
  const deps = { ...issuing(), keys, digester, accessTokens, revocations };
  if (!(await revokeOwnToken(deps, clientIdOf(clientId), token))) throw new Error('the token is unknown');
}

function issuing() {
  return { clock: systemClock, issuer: parseIssuer(ISSUER), random: secureRandom };
}

function grant(client: string, subject: string): AccessTokenGrant {
  const scope = parseScope(TOKEN_SCOPE);
  if (scope === undefined) throw new TypeError('invalid scope of a token');
  const username = 'alice@example.org';
  return {
    clientId: clientIdOf(client),
    scope,
    audience: [client],
    subject,
    username,
    lifetimeSeconds: LIFETIME_SECONDS,
  };
}

function clientIdOf(client: string): ClientId {
  const clientId = parseClientId(client);
  if (clientId === undefined) throw new TypeError('invalid client of a token');
  return clientId;
}
