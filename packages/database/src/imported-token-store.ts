import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import {
  type ImportConflict,
  type ImportedTokenRecord,
  type ImportedTokenStore,
  type ImportOutcome,
  ISSUED_AT_SKEW_SECONDS,
} from '@vestibule/tokens/importing';
import { TOKEN_COLUMNS } from './access-token-columns.js';
import type { Author } from './audit/author.js';
import { recordEvent } from './audit/record-event.js';
import { type Columns, columnNames } from './columns.js';
import { isForeignKeyViolation, isUniqueViolation } from './database-errors.js';
import { recordClientUse } from './record-client-use.js';
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

/**
 * The names under which a row may have been revoked: kind, name, and whether the token is outside a session that has ended
 * under this name. A session is named as sent, by its own identifier and by the `sid` of the client, and a client that has
 * left a session is inside it again once it has another `sid`.
 */
const NAMES = `VALUES ('client', item."clientId", true), ('subject', item.subject, true),
        ('issuer', item.issuer, true), ('session', item."sessionId", true),
        ('session', item.session_id, true), ('session', item.sid, true),
        ('session', vestibule_part_of_session(item.session_id, item."clientId"), item.sid IS NULL)`;

/**
 * After a digest key was replaced, seconds in which the time of issue of a token that is imported under it may lie: some
 * processes know the new key only then, and the clock of the server that issues tokens may be ahead.
 */
const FORGOTTEN_FOR_SECONDS = DATA_KEY_SETTLE_MS / 1_000 + ISSUED_AT_SKEW_SECONDS;

/**
 * Adds tokens. By hand, because it is one atomic statement over several tables for many rows. It is not prepared, because a
 * plan for small tables would be used while they grow. Rows are written in a fixed order, so that two such statements
 * cannot deadlock. A token that another statement stores at the same time violates a key.
 *
 * Each token is stored before or after a revocation by one of its names, which deletes it or is seen here: the cut-offs are
 * read when the names are locked. A token that was issued in the second of a revocation may have been issued before it, so
 * that it counts as revoked; so does one that may have been imported under a digest key that is retired now.
 */
export const ADD_IMPORTED_TOKENS: Statement = {
  name: 'imported-tokens-add',
  text: `WITH given AS MATERIALIZED (
      SELECT item.*, ARRAY(SELECT decode(candidate, 'base64') FROM unnest(item.candidates) AS candidate) AS digests
      FROM json_to_recordset($1::json) AS item (${GIVEN})
    ), found AS MATERIALIZED (
      SELECT item.*, session.id AS session_id, session.subject AS session_subject, session.sid,
        (SELECT facts FROM imported_token WHERE digest = ANY(item.digests)
          ORDER BY facts LIMIT 1) AS known_facts,
        EXISTS (SELECT FROM access_token WHERE digest = ANY(item.digests))
          OR EXISTS (SELECT FROM refresh_token WHERE digest = ANY(item.digests)) AS is_stored,
        (SELECT true FROM client WHERE id = item."clientId" AND status = 'active'
          AND (expires_at IS NULL OR expires_at > to_timestamp($2))) AS has_client
      FROM given AS item LEFT JOIN LATERAL (
        SELECT id, subject, (
          SELECT sid FROM session_client WHERE session_id = session.id AND client_id = item."clientId"
        ) AS sid
        FROM session
        WHERE id = ANY(ARRAY(
            SELECT item."sessionId" UNION SELECT session_id FROM session_client WHERE sid = item."sessionId"))
          AND subject IS NOT NULL AND expires_at > to_timestamp($2) LIMIT 1
      ) AS session ON item."sessionId" IS NOT NULL
    ), named AS MATERIALIZED (
      SELECT item.place, LEAST(item."issuedAt", $2) AS issued_at, name.*
      FROM found AS item CROSS JOIN LATERAL (${NAMES}) AS name (kind, name, is_outside)
      WHERE name.name IS NOT NULL
    ), cutoffs AS MATERIALIZED (
      SELECT cutoff.* FROM (
        SELECT array_agg(kind) AS kinds, array_agg(name) AS names
        FROM (SELECT DISTINCT kind, name FROM named) AS each
      ) AS every, vestibule_cutoffs(every.kinds, every.names) AS cutoff
    ), covered AS MATERIALIZED (
      SELECT DISTINCT place FROM named JOIN cutoffs USING (kind, name)
      WHERE cutoff >= to_timestamp(issued_at) OR (is_final AND is_outside)
    ), forgotten AS MATERIALIZED (
      SELECT vestibule_forgotten_imports_until() + interval '${FORGOTTEN_FOR_SECONDS} seconds' AS until
    ), evaluated AS MATERIALIZED (
      SELECT *, digests[1] AS digest, CASE
        WHEN has_client IS NOT TRUE THEN 'unknown_client'
        WHEN known_facts = '' THEN 'revoked'
        WHEN known_facts <> decode(facts, 'base64') THEN 'other_facts'
        WHEN known_facts IS NOT NULL THEN CASE WHEN is_stored THEN 'unchanged' ELSE 'revoked' END
        WHEN is_stored THEN 'issued_here'
        WHEN session_subject <> subject THEN 'foreign_session'
        WHEN place IN (SELECT place FROM covered) THEN 'revoked'
        WHEN to_timestamp("issuedAt") <= until THEN 'revoked'
        ELSE 'stored'
      END AS result FROM found, forgotten
    ), added AS MATERIALIZED (
      SELECT * FROM evaluated WHERE known_facts IS NULL AND result IN ('stored', 'revoked')
        AND NOT ($3::boolean AND EXISTS (SELECT FROM evaluated WHERE result = ANY('{${CONFLICTS.join(',')}}')))
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
    SELECT result FROM evaluated ORDER BY place`,
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
