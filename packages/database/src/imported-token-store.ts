import { DATA_KEY_SETTLE_MS } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import {
  type ImportConflict,
  type ImportedTokenRecord,
  type ImportedTokenStore,
  type ImportOptions,
  type ImportOutcome,
  ISSUED_AT_SKEW_SECONDS,
} from '@vestibule/tokens/importing';
import { TOKEN_COLUMNS } from './access-token-columns.js';
import type { Author } from './audit/author.js';
import { recordEvent } from './audit/record-event.js';
import { CLIENT_STATEMENTS } from './client-repository.js';
import { type Columns, columnNames } from './columns.js';
import { isForeignKeyViolation, isUniqueViolation } from './database-errors.js';
import { USE_INTERVAL_SECONDS } from './record-client-use.js';
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

/** Condition for a row that no revocation covers, as far as the names are locked. */
const IS_NOT_REVOKED = `(place NOT IN (SELECT place FROM covered)
          AND (until IS NULL OR to_timestamp("issuedAt") > until))`;

/**
 * After a digest key was replaced, seconds in which the time of issue of a token that is imported under it may lie: some
 * processes know the new key only then, and the clock of the server that issues tokens may be ahead.
 */
const FORGOTTEN_FOR_SECONDS = DATA_KEY_SETTLE_MS / 1_000 + ISSUED_AT_SKEW_SECONDS;

/**
 * Adds tokens, or (`$5`) only reserves them. By hand, because it is one atomic statement over several tables for many rows.
 * It is not prepared, because a plan for small tables would be used while they grow. Rows are written in a fixed order, so
 * that two such statements cannot deadlock. A token that another statement stores at the same time violates a key. A
 * pending token that another statement has stored or revoked at the same time has no result: it is no longer pending.
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
        known.digest AS known_digest, known.facts AS known_facts,
        coalesce(known.is_pending AND known.facts = decode(item.facts, 'base64'), false) AS is_pending,
        EXISTS (SELECT FROM access_token WHERE digest = ANY(item.digests))
          OR EXISTS (SELECT FROM refresh_token WHERE digest = ANY(item.digests)) AS is_stored,
        (SELECT status = 'active' AND (expires_at IS NULL OR expires_at > to_timestamp($2))
          FROM client WHERE id = item."clientId") AS has_client
      FROM given AS item LEFT JOIN LATERAL (
        SELECT digest, facts, is_pending FROM imported_token WHERE digest = ANY(item.digests)
        ORDER BY facts LIMIT 1
      ) AS known ON true LEFT JOIN LATERAL (
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
        FROM (SELECT DISTINCT kind, name FROM named WHERE NOT $5::boolean) AS each
      ) AS every, vestibule_cutoffs(every.kinds, every.names) AS cutoff
      WHERE every.kinds IS NOT NULL
    ), covered AS MATERIALIZED (
      SELECT DISTINCT place FROM named JOIN cutoffs USING (kind, name)
      WHERE cutoff >= to_timestamp(issued_at) OR (is_final AND is_outside)
    ), forgotten AS MATERIALIZED (
      SELECT vestibule_forgotten_imports_until() + interval '${FORGOTTEN_FOR_SECONDS} seconds' AS until
    ), evaluated AS MATERIALIZED (
      SELECT *, coalesce(known_digest, digests[1]) AS digest, CASE
        WHEN is_pending AND NOT $5 AND has_client IS NOT NULL AND ${IS_NOT_REVOKED} THEN 'stored'
        WHEN is_pending AND NOT $5 THEN 'revoked'
        WHEN has_client IS NOT TRUE THEN 'unknown_client'
        WHEN known_facts = '' THEN 'revoked'
        WHEN known_facts <> decode(facts, 'base64') THEN 'other_facts'
        WHEN known_facts IS NOT NULL AND NOT is_pending THEN CASE WHEN is_stored THEN 'unchanged' ELSE 'revoked' END
        WHEN is_stored THEN 'issued_here'
        WHEN session_subject <> subject THEN 'foreign_session'
        WHEN ${IS_NOT_REVOKED} THEN 'stored'
        ELSE 'revoked'
      END AS result FROM found, forgotten
    ), added AS MATERIALIZED (
      SELECT * FROM evaluated
      WHERE (known_facts IS NULL OR is_pending AND NOT $5) AND result IN ('stored', 'revoked')
        AND NOT ($3::boolean AND EXISTS (SELECT FROM evaluated WHERE result = ANY('{${CONFLICTS.join(',')}}')))
      ORDER BY digest
    ), imported AS (
      INSERT INTO imported_token (digest, facts, expires_at, is_pending)
      SELECT digest, decode(facts, 'base64'), to_timestamp("expiresAt"), $5 AND result = 'stored'
      FROM added WHERE known_facts IS NULL
    ), held AS MATERIALIZED (
      SELECT digest FROM imported_token
      WHERE digest = ANY(ARRAY(SELECT digest FROM added WHERE is_pending)) AND is_pending
      ORDER BY digest FOR UPDATE
    ), settled AS (
      UPDATE imported_token SET is_pending = false WHERE digest = ANY(ARRAY(SELECT digest FROM held))
    ), access AS (${addTo('access_token', 'access', TOKEN_COLUMNS)}
    ), refresh AS (${addTo('refresh_token', 'refresh', REFRESH_COLUMNS)}
    ), recorded AS (${recordEvent({
      from: `(SELECT count(*) AS total,
          count(*) FILTER (WHERE kind = 'access') AS access, count(*) FILTER (WHERE kind = 'refresh') AS refresh
        FROM added WHERE known_facts IS NULL) AS counts WHERE total > 0`,
      occurredAt: 'to_timestamp($2)',
      actor: '$4::text',
      action: `'tokens.imported'`,
      target: `'tokens'`,
      details: `jsonb_build_object('access_tokens', access, 'refresh_tokens', refresh)`,
    })}
    )
    SELECT CASE
      WHEN is_pending AND place IN (SELECT place FROM added) AND digest <> ALL(ARRAY(SELECT digest FROM held)) THEN NULL
      ELSE result
    END AS result FROM evaluated ORDER BY place`,
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
      SELECT ${values.join(', ')}, digest FROM added
      WHERE kind = '${kind}' AND result = 'stored' AND NOT $5
        AND (NOT is_pending OR digest = ANY(ARRAY(SELECT digest FROM held)))`;
}

/**
 * Tokens that one transaction stores. Its locks make revocations of the same names wait, so that it must be short, and have
 * to fit into the lock table of the server together with those of other imports: there are at most five for each token.
 */
const GROUP_SIZE = 100;

/** Groups of one call that are stored at the same time: while one is sent, the database works on the other. */
const GROUPS_AT_ONCE = 2;

/** Attempts while other statements store the same tokens, or delete clients. */
const MAX_ATTEMPTS = 5;

type Result = ImportOutcome | ImportConflict;
type Results = ReadonlyMap<ImportedTokenRecord, Result>;

interface ResultRow {
  readonly result: Result | null;
}

/** How a statement adds tokens. */
interface Addition extends ImportOptions {
  /** Whether the tokens become pending, and are stored later. */
  readonly isReserving: boolean;
}

/** Creates the store of imported tokens in Postgres, which records imports with the given author. */
export function importedTokenStore(run: RunStatement, { actor }: Author): ImportedTokenStore {
  /** Adds tokens in one transaction. Those that other statements store or revoke at the same time have no result. */
  const addOnce = async (
    records: readonly ImportedTokenRecord[],
    { isAllOrNone, now, isReserving }: Addition,
  ): Promise<Results> => {
    const values = [JSON.stringify(records.map(rowOf)), now, isAllOrNone, actor, isReserving];
    const { rows } = await run<ResultRow>(ADD_IMPORTED_TOKENS, values);
    const results = new Map<ImportedTokenRecord, Result>();
    for (const [index, record] of records.entries()) {
      const result = rows[index]?.result;
      if (result) results.set(record, result);
    }
    return results;
  };
  const addTogether = async (
    records: readonly ImportedTokenRecord[],
    addition: Addition,
  ): Promise<Results> => {
    let results: Results = new Map();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && results.size < records.length; attempt += 1) {
      const open = records.filter((record) => !results.has(record));
      const added = addOnce(open, addition);
      const more = await (attempt < MAX_ATTEMPTS ? added.catch(noneIfOvertaken) : added);
      const isLate = addition.isAllOrNone && results.size > 0;
      results = new Map([...results, ...(isLate ? withoutConflicts(more) : more)]);
    }
    return results;
  };
  const addInGroups = async (records: readonly ImportedTokenRecord[], addition: Addition) => {
    const results: [ImportedTokenRecord, Result][] = [];
    const groups = inGroups(records).values();
    const addSome = async () => {
      for (const group of groups) results.push(...(await addTogether(group, addition)));
    };
    const endings = await Promise.allSettled(Array.from({ length: GROUPS_AT_ONCE }, addSome));
    for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
    return new Map(results);
  };
  const addAllOrNone = async (records: readonly ImportedTokenRecord[], options: ImportOptions) => {
    if (records.length <= GROUP_SIZE) return addTogether(records, { ...options, isReserving: false });
    const reserved = await addTogether(records, { ...options, isReserving: true });
    if ([...reserved.values()].some(isConflict)) return reserved;
    const pending = records.filter((record) => reserved.get(record) === 'stored');
    const settled = await addInGroups(pending, { ...options, isAllOrNone: false, isReserving: false });
    const others = [...reserved].filter(([, result]) => result !== 'stored');
    return new Map([...others, ...withoutConflicts(settled)]);
  };
  /** In a statement of its own, because it locks the rows of clients. */
  const recordUses = async (results: Results, now: EpochSeconds) => {
    const used = [...results].filter(([, result]) => result === 'stored' || result === 'unchanged');
    const clients = new Set(used.map(([{ token }]) => token.clientId));
    if (clients.size > 0) await run(CLIENT_STATEMENTS.markUsed, [[...clients], now, USE_INTERVAL_SECONDS]);
  };
  return {
    add: async (records, options) => {
      const results = options.isAllOrNone
        ? await addAllOrNone(records, options)
        : await addInGroups(records, { ...options, isReserving: false });
      const isRefused = options.isAllOrNone && [...results.values()].some(isConflict);
      if (!isRefused) await recordUses(results, options.now);
      return records.map((record) => {
        const result = results.get(record);
        if (result === undefined) throw new Error('other statements keep changing the same tokens');
        return result;
      });
    },
  };
}

/** Splits records into as few groups as possible, of about the same size. */
function inGroups(records: readonly ImportedTokenRecord[]): readonly (readonly ImportedTokenRecord[])[] {
  const count = Math.ceil(records.length / GROUP_SIZE);
  const size = Math.ceil(records.length / count);
  return Array.from({ length: count }, (_, index) => records.slice(index * size, (index + 1) * size));
}

function noneIfOvertaken(error: unknown): Results {
  if (isUniqueViolation(error) || isForeignKeyViolation(error)) return new Map();
  throw error;
}

/**
 * Leaves out conflicts that tokens have which were overtaken, because others are stored already: it is a fault, after which
 * the request can be sent again, and no refusal of all.
 */
function withoutConflicts(results: Results): Results {
  return new Map([...results].filter(([, result]) => !isConflict(result)));
}

function isConflict(result: Result): boolean {
  return CONFLICTS.some((conflict) => conflict === result);
}

function rowOf({ kind, digests, facts, token }: ImportedTokenRecord, place: number): object {
  return { ...token, place, kind, candidates: digests.map(inBase64), facts: inBase64(facts) };
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
