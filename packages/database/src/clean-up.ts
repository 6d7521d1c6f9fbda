import type { EpochSeconds } from '@vestibule/protocol';
import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import { because } from './changes/because.js';
import { cleanUpChanges } from './changes/clean-up-changes.js';
import { inBatches } from './in-batches.js';
import { cutoffStatement, revokeTokens, SESSIONS_AT_ONCE } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';
import { cleanUpEvents } from './stream/clean-up-events.js';

/** Options of a clean-up. */
export interface CleanUp {
  readonly now: EpochSeconds;
  /** Largest number of rows that one statement deletes. Default 1,000. */
  readonly batchSize?: number;
  /** How long changes are kept for readers, in seconds. Default: a week. */
  readonly changeRetentionSeconds?: number;
}

/** Number of deleted rows by table. */
export type CleanUpCounts = Readonly<Record<CleanUpTable, number>>;

/** A table with rows that expire. */
export type CleanUpTable = ExpiringTable | 'change' | 'invalidation_event';

/** A table whose rows have a time of expiry. */
type ExpiringTable = keyof typeof EXPIRED;

const DEFAULT_BATCH_SIZE = 1_000;

/** Default of `changeRetentionSeconds`. */
export const CHANGE_RETENTION_SECONDS = 7 * 24 * 60 * 60;

/**
 * Conditions for the rows of each table that have expired at `$1`. Rows that block something (revocations and used
 * assertions) are kept a minute longer, so that clocks cannot disagree on which of the two expired first.
 */
const EXPIRED = {
  access_token: 'expires_at <= to_timestamp($1)',
  refresh_token: 'expires_at <= to_timestamp($1)',
  imported_token: 'expires_at <= to_timestamp($1 - 60)',
  authorization: 'expires_at <= to_timestamp($1)',
  artifact: 'expires_at <= to_timestamp($1)',
  replayed_assertion: 'expires_at <= to_timestamp($1 - 60)',
  initial_access_token: 'expires_at <= to_timestamp($1)',
  remembered_answer: 'expires_at <= to_timestamp($1)',
  earlier_client_secret: 'kept_until <= to_timestamp($1)',
  revoked_token: 'expires_at <= to_timestamp($1 - 60)',
  revocation_cutoff: 'expires_at <= to_timestamp($1)',
  signing_key: `state = 'retired' AND expires_at <= to_timestamp($1)`,
  // Before a login. `END_EXPIRED_SESSIONS` is for the others.
  session: `expires_at <= to_timestamp($1) AND subject IS NULL
    AND NOT EXISTS (SELECT FROM session_client WHERE session_id = session.id)`,
  client: 'expires_at <= to_timestamp($1)',
  client_metadata_document: 'expires_at <= to_timestamp($1)',
} as const;

/**
 * Ends expired sessions of end-users: their tokens are revoked, and their names cannot be used again. A session that has
 * clients is ended by the logout service, which notifies them; after a day it is ended here without notifications.
 */
export const END_EXPIRED_SESSIONS: Statement = {
  name: 'clean-up-session-of-end-user',
  text: `WITH ending AS MATERIALIZED (
      SELECT session.id FROM session, ${because('expired')}
      WHERE expires_at <= to_timestamp($1) AND CASE
        WHEN EXISTS (SELECT FROM session_client WHERE session_id = session.id) THEN expires_at <= to_timestamp($1 - 86400)
        ELSE subject IS NOT NULL
      END
      ORDER BY expires_at LIMIT $2 FOR UPDATE OF session SKIP LOCKED
    ), cutoff AS (
      ${cutoffStatement({
        kind: 'session',
        values: revokeTokens({ kind: 'session', names: 'ARRAY(SELECT id FROM ending)' }),
        second: '$1',
        isFinal: true,
      })}
    )
    DELETE FROM session WHERE id = ANY(ARRAY(SELECT id FROM ending))`,
  repeatable: true,
};

/** Tables whose triggers note what ended. */
const NOTED: readonly string[] = [
  'access_token',
  'refresh_token',
  'authorization',
  'client',
] satisfies ExpiringTable[];

/** The tables whose rows have a time of expiry. */
export const EXPIRING_TABLES = Object.keys(EXPIRED) as ExpiringTable[];

/**
 * Deletes expired rows in batches and skips locked rows, so that any number of processes may clean up at the same time.
 * An expired client is deleted with everything that belongs to it.
 */
export async function cleanUp(
  run: RunStatement,
  { now, batchSize = DEFAULT_BATCH_SIZE, changeRetentionSeconds = CHANGE_RETENTION_SECONDS }: CleanUp,
): Promise<CleanUpCounts> {
  const counts: [CleanUpTable, number][] = [];
  for (const table of EXPIRING_TABLES) {
    const count = await inBatches(run, cleanUpStatement(table), { before: now, batchSize });
    const sessions = { before: now, batchSize: Math.min(batchSize, SESSIONS_AT_ONCE) };
    const ended = table === 'session' ? await inBatches(run, END_EXPIRED_SESSIONS, sessions) : 0;
    counts.push([table, count + ended]);
  }
  counts.push(['change', await cleanUpChanges(run, { before: now - changeRetentionSeconds, batchSize })]);
  counts.push(['invalidation_event', await cleanUpEvents(run, batchSize)]);
  return Object.fromEntries(counts) as CleanUpCounts;
}

/** Builds the statement that deletes one batch of a table. By hand, because it skips locked rows. */
export function cleanUpStatement(table: ExpiringTable): Statement {
  const cause = NOTED.includes(table) ? `, ${because('expired')}` : '';
  const deletion = `DELETE FROM "${table}" WHERE ctid = ANY(ARRAY(
      SELECT "${table}".ctid FROM "${table}"${cause} WHERE ${EXPIRED[table]}
      LIMIT $2 FOR UPDATE OF "${table}" SKIP LOCKED))`;
  return {
    name: `clean-up-${table}`,
    text: table === 'client' ? withCutoffs(deletion) : deletion,
    repeatable: true,
  };
}

/** Keeps the tokens of an expired client revoked in case another client gets its identifier. */
function withCutoffs(deletion: string): string {
  return `WITH deleted AS (${deletion} RETURNING id, ${clientStateDigest('client')} AS state), cutoff AS (
      ${cutoffStatement({ kind: 'client', values: 'SELECT id AS value FROM deleted', second: '$1' })}
    ), recorded AS (${recordEvent({
      from: 'deleted',
      occurredAt: 'to_timestamp($1)',
      actor: `'${DEFAULT_ACTOR}'`,
      action: `'client.expired'`,
      target: `'client:' || deleted.id`,
      before: 'deleted.state',
    })})
    SELECT id FROM deleted`;
}
