import type { EpochSeconds } from '@vestibule/protocol';
import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import { cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

/** One round of clean-up. */
export interface CleanUp {
  readonly now: EpochSeconds;
  /** The most rows that one statement deletes, default 1,000. */
  readonly batchSize?: number;
}

/** How many rows went, by table. */
export type CleanUpCounts = Readonly<Record<CleanUpTable, number>>;

/** A table from which what has expired is deleted. */
export type CleanUpTable = keyof typeof EXPIRED;

const DEFAULT_BATCH_SIZE = 1_000;

/**
 * Which rows of each table are of no more use at the instant `$1`. What keeps something from counting stays a minute
 * longer, so that no two clocks disagree about which of them ended first.
 */
const EXPIRED = {
  access_token: 'expires_at <= to_timestamp($1)',
  refresh_token: 'expires_at <= to_timestamp($1)',
  authorization: 'expires_at <= to_timestamp($1)',
  artifact: 'expires_at <= to_timestamp($1)',
  replayed_assertion: 'expires_at <= to_timestamp($1 - 60)',
  initial_access_token: 'expires_at <= to_timestamp($1)',
  remembered_answer: 'expires_at <= to_timestamp($1)',
  earlier_client_secret: 'kept_until <= to_timestamp($1)',
  revoked_token: 'expires_at <= to_timestamp($1 - 60)',
  revocation_cutoff: 'expires_at <= to_timestamp($1)',
  signing_key: `state = 'retired' AND expires_at <= to_timestamp($1)`,
  // Whoever ends sessions tells their clients; a day later nobody is going to.
  session: `expires_at <= to_timestamp($1) AND (expires_at <= to_timestamp($1 - 86400)
    OR NOT EXISTS (SELECT FROM session_client WHERE session_id = session.id))`,
  client: 'expires_at <= to_timestamp($1)',
} as const;

const TABLES = Object.keys(EXPIRED) as readonly CleanUpTable[];

/**
 * Deletes what has expired, in batches, and passes over rows that someone else holds: any number of processes may
 * clean up at once. A client that has expired goes as if it were deleted, with everything that hangs on it.
 */
export async function cleanUp(
  run: RunStatement,
  { now, batchSize = DEFAULT_BATCH_SIZE }: CleanUp,
): Promise<CleanUpCounts> {
  const counts: [CleanUpTable, number][] = [];
  for (const table of TABLES) counts.push([table, await cleanUpTable(run, table, { now, batchSize })]);
  return Object.fromEntries(counts) as CleanUpCounts;
}

async function cleanUpTable(
  run: RunStatement,
  table: CleanUpTable,
  { now, batchSize }: Required<CleanUp>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await run(cleanUpStatement(table), [now, batchSize]);
    total += rowCount;
    if (rowCount < batchSize) return total;
  }
}

/** The statement that deletes one batch of a table. */
export function cleanUpStatement(table: CleanUpTable): Statement {
  const deletion = `DELETE FROM "${table}" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "${table}" WHERE ${EXPIRED[table]} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
  return {
    name: `clean-up-${table}`,
    text: table === 'client' ? withCutoffs(deletion) : deletion,
    repeatable: true,
  };
}

/** The tokens of a client that expired stay revoked when another one gets its identifier. */
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
