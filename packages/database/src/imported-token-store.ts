import type {
  ImportConflict,
  ImportedTokenRecord,
  ImportedTokenStore,
  ImportOutcome,
} from '@vestibule/tokens/importing';
import { TOKEN_COLUMNS } from './access-token-columns.js';
import type { Author } from './audit/author.js';
import { recordEvent } from './audit/record-event.js';
import { type Columns, columnNames } from './columns.js';
import { isForeignKeyViolation, isUniqueViolation } from './database-errors.js';
import { recordClientUse } from './record-client-use.js';
import type { CutoffKind } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

/** The columns of a refresh token that an import sets. */
const REFRESH_COLUMNS = {
  clientId: 'text',
  subject: 'text',
  scope: 'text',
  issuedAt: 'time',
  expiresAt: 'time',
  sessionId: 'text',
} as const satisfies Columns;

/** The columns of the JSON rows in `$1`. Times are in seconds since the epoch, bytes in base64. */
const GIVEN = Object.entries({
  ...TOKEN_COLUMNS,
  place: 'integer',
  kind: 'text',
  candidates: 'text[]',
  facts: 'text',
})
  .map(([name, type]) => `"${name}" ${type === 'time' ? 'float8' : type}`)
  .join(', ');

/** The `sid` of the client in a session here, otherwise the identifier as it was sent. */
const OWN_VALUES: Readonly<Record<string, string>> = { sessionId: 'coalesce(sid, "sessionId")' };

const CONFLICTS = [
  'unknown_client',
  'other_facts',
  'issued_here',
  'foreign_session',
] satisfies ImportConflict[];

/** Kinds of cut-offs, and the column that each names. */
const CUTOFFS = {
  client: 'clientId',
  subject: 'subject',
  session: 'sessionId',
  issuer: 'issuer',
} as const satisfies Record<CutoffKind, keyof typeof TOKEN_COLUMNS>;

/** Condition for rows that a revocation covers: one in the very second of the issue counts as earlier. */
const IS_REVOKED = Object.entries(CUTOFFS)
  .map(
    ([
      kind,
      column,
    ]) => `(SELECT true FROM revocation_cutoff WHERE kind = '${kind}' AND value = item."${column}"
          AND cutoff > to_timestamp(item."issuedAt")) IS TRUE`,
  )
  .join('\n        OR ');

/**
 * Adds tokens. By hand, because it is one atomic statement over several tables for many rows. It is not prepared, because a
 * plan for small tables would be used while they grow. Rows are written in a fixed order, so that two such statements
 * cannot deadlock. A token that another statement stores at the same time violates a key.
 */
export const ADD_IMPORTED_TOKENS: Statement = {
  name: 'imported-tokens-add',
  text: `WITH given AS MATERIALIZED (
      SELECT item.*, ARRAY(SELECT decode(candidate, 'base64') FROM unnest(item.candidates) AS candidate) AS digests
      FROM json_to_recordset($1::json) AS item (${GIVEN})
    ), found AS MATERIALIZED (
      SELECT item.*, session.subject AS session_subject, session.sid,
        (SELECT facts FROM imported_token WHERE digest = ANY(item.digests) LIMIT 1) AS known_facts,
        EXISTS (SELECT FROM access_token WHERE digest = ANY(item.digests))
          OR EXISTS (SELECT FROM refresh_token WHERE digest = ANY(item.digests)) AS is_stored,
        (SELECT true FROM client WHERE id = item."clientId" AND status = 'active'
          AND (expires_at IS NULL OR expires_at > to_timestamp($2))) AS has_client,
        ${IS_REVOKED} AS is_revoked
      FROM given AS item LEFT JOIN LATERAL (
        SELECT subject, (
          SELECT sid FROM session_client WHERE session_id = session.id AND client_id = item."clientId"
        ) AS sid
        FROM session
        WHERE id = ANY(ARRAY(
            SELECT item."sessionId" UNION SELECT session_id FROM session_client WHERE sid = item."sessionId"))
          AND subject IS NOT NULL AND expires_at > to_timestamp($2) LIMIT 1
      ) AS session ON item."sessionId" IS NOT NULL
    ), judged AS MATERIALIZED (
      SELECT *, digests[1] AS digest, CASE
        WHEN has_client IS NOT TRUE THEN 'unknown_client'
        WHEN known_facts <> decode(facts, 'base64') THEN 'other_facts'
        WHEN known_facts IS NOT NULL THEN CASE WHEN is_stored THEN 'unchanged' ELSE 'revoked' END
        WHEN is_stored THEN 'issued_here'
        WHEN session_subject <> subject THEN 'foreign_session'
        WHEN is_revoked THEN 'revoked'
        ELSE 'stored'
      END AS result FROM found
    ), added AS MATERIALIZED (
      SELECT * FROM judged WHERE known_facts IS NULL AND result IN ('stored', 'revoked')
        AND NOT ($3::boolean AND EXISTS (SELECT FROM judged WHERE result = ANY('{${CONFLICTS.join(',')}}')))
      ORDER BY digest
    ), imported AS (
      INSERT INTO imported_token (digest, facts, expires_at)
      SELECT digest, decode(facts, 'base64'), to_timestamp("expiresAt") FROM added
    ), access AS (${addTo('access_token', 'access', TOKEN_COLUMNS)}
    ), refresh AS (${addTo('refresh_token', 'refresh', REFRESH_COLUMNS)}
    ), recorded AS (${recordEvent({
      from: `(SELECT count(*) AS total,
          count(*) FILTER (WHERE kind = 'access') AS access, count(*) FILTER (WHERE kind = 'refresh') AS refresh
        FROM added) AS counts WHERE total > 0`,
      occurredAt: 'to_timestamp($2)',
      actor: '$4::text',
      action: `'tokens.imported'`,
      target: `'tokens'`,
      details: `jsonb_build_object('access_tokens', access, 'refresh_tokens', refresh)`,
    })}
    ), ${recordClientUse({ clients: 'SELECT DISTINCT "clientId" FROM added', now: '$2::float8' })}
    SELECT result FROM judged ORDER BY place`,
  repeatable: true,
  isUnprepared: true,
};

/** Builds the INSERT of the rows of one kind. */
function addTo(table: string, kind: string, columns: Columns): string {
  const values = Object.entries(columns).map(
    ([field, type]) => OWN_VALUES[field] ?? (type === 'time' ? `to_timestamp("${field}")` : `"${field}"`),
  );
  return `
      INSERT INTO ${table} (${columnNames(columns)}, digest)
      SELECT ${values.join(', ')}, digest FROM added WHERE kind = '${kind}' AND result = 'stored'`;
}

/** Attempts while other statements store the same tokens, or delete clients. */
const MAX_ATTEMPTS = 5;

interface ResultRow {
  readonly result: ImportOutcome | ImportConflict;
}

/** Creates the store of imported tokens in Postgres, which records imports with the given author. */
export function importedTokenStore(run: RunStatement, { actor }: Author): ImportedTokenStore {
  return {
    add: async (records, { isAllOrNone, now }) => {
      const values = [JSON.stringify(records.map(rowOf)), now, isAllOrNone, actor];
      for (let attempt = 1; ; attempt += 1) {
        try {
          const { rows } = await run<ResultRow>(ADD_IMPORTED_TOKENS, values);
          return rows.map(({ result }) => result);
        } catch (error) {
          const isOvertaken = isUniqueViolation(error) || isForeignKeyViolation(error);
          if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
  };
}

function rowOf({ kind, candidates, facts, token }: ImportedTokenRecord, place: number): object {
  return { ...token, place, kind, candidates: candidates.map(inBase64), facts: inBase64(facts) };
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
