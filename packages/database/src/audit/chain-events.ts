import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { resultWithin } from '../statement.js';
import { CHAINED_COLUMNS, type ChainedEvent, chainHash, GENESIS } from './chained-event.js';

/** The end of the chain. Kept elsewhere, for example in a log, it reveals that events were removed from the end. */
export interface ChainHead {
  /** Starts at 1. */
  readonly position: bigint;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** The result of chaining. */
export interface ChainedEvents {
  readonly count: number;
  /** The new end of the chain; absent when nothing was added. */
  readonly head?: ChainHead;
}

/** Options of chaining. */
export interface Chaining {
  /** Stops after the current batch. */
  readonly signal?: AbortSignal;
  /** Called after each batch. */
  readonly onBatch?: (batch: ChainedEvents) => void;
}

/** Events per transaction: few enough that requests hardly wait for it. */
const BATCH_SIZE = 200;

/** Pause after a batch, as a fraction of its duration. */
const REST = 0.25;

/** For an unresponsive database; its own timeouts are shorter. */
const RESPONSE_TIMEOUT_MS = 5_000;

/** Key of the advisory lock for chaining. */
const CHAIN_LOCK = '5566137290144819373';

// By hand, because they run in one transaction under an advisory lock.
const LOCK = 'SELECT pg_try_advisory_xact_lock($1) AS held';
// Qualified, because a plain name would refer to the text column of the result and sort as text.
const HEAD = `SELECT position::text AS position, hash FROM audit_event
  WHERE position IS NOT NULL ORDER BY audit_event.position DESC LIMIT 1`;
const UNCHAINED = `SELECT ${CHAINED_COLUMNS} FROM audit_event
  WHERE position IS NULL ORDER BY audit_event.id LIMIT $1`;
const CHAIN = `UPDATE audit_event SET position = link.position, hash = link.hash
  FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS link (id, position, hash)
  WHERE audit_event.id = link.id`;

/**
 * Adds every event that is not chained yet to the chain, in batches, with a pause after each, because requests share
 * the process and the database. One process chains at a time; a second one does nothing. Writers of events never wait
 * for it.
 */
export async function chainEvents(pool: pg.Pool, { signal, onBatch }: Chaining = {}): Promise<ChainedEvents> {
  let total: ChainedEvents = { count: 0 };
  for (;;) {
    const begunAtMs = performance.now();
    const batch = await inTransaction(pool, chainBatch);
    onBatch?.(batch);
    total = { ...total, ...batch, count: total.count + batch.count };
    if (batch.count < BATCH_SIZE || signal?.aborted) return total;
    await pause(REST * (performance.now() - begunAtMs));
  }
}

async function chainBatch(client: pg.PoolClient): Promise<ChainedEvents> {
  const lock = await query<{ held: boolean }>(client, LOCK, [CHAIN_LOCK]);
  if (!lock.rows[0]?.held) return { count: 0 };
  // After the lock was taken, so that the events that its previous holder chained are visible.
  const present = await query<{ position: string; hash: Buffer }>(client, HEAD);
  const { rows: events } = await query<ChainedEvent>(client, UNCHAINED, [BATCH_SIZE]);
  let position = BigInt(present.rows[0]?.position ?? 0);
  let hash: Uint8Array = present.rows[0]?.hash ?? GENESIS;
  const links = events.map((event) => {
    position += 1n;
    hash = chainHash(hash, position, event);
    return { id: event.id, position: position.toString(), hash };
  });
  if (links.length === 0) return { count: 0 };
  const columns = [links.map(({ id }) => id), links.map((link) => link.position), links.map((l) => l.hash)];
  await query(client, CHAIN, columns);
  return { count: links.length, head: { position, hash: Buffer.from(hash).toString('hex') } };
}

function query<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  return resultWithin(client, new pg.Query(text, values), RESPONSE_TIMEOUT_MS);
}

async function inTransaction<Result>(
  pool: pg.Pool,
  operate: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = true;
  try {
    await query(client, 'BEGIN');
    const result = await operate(client);
    await query(client, 'COMMIT');
    broken = false;
    return result;
  } finally {
    // A discarded connection leaves no transaction behind, whatever failed.
    client.release(broken);
  }
}
