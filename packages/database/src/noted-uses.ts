import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import { type Columns, placeholderOf } from './columns.js';

/** A use within this time of the one before is not written again, in seconds: the row of a client changes rarely. */
export const USE_INTERVAL_SECONDS = 300;

/** Which uses a statement notes: pieces of SQL. */
export interface NotedUses {
  /** A query for the identifiers of the clients that are used. */
  readonly clients: string;
  /** When, in seconds since the epoch. */
  readonly now: string;
  /** Default {@link USE_INTERVAL_SECONDS}. */
  readonly intervalSeconds?: string;
}

/**
 * The common table expressions that note uses of clients in the statement that stores what shows the use. The first use
 * of an open registration makes it permanent, which is recorded as `client.kept`; clients that have ended stay so. The
 * lock finds the row as the use before it left it, so that of parallel first uses one makes a registration permanent.
 */
export function notedUses({ clients, now, intervalSeconds = `${USE_INTERVAL_SECONDS}` }: NotedUses): string {
  return `use_due AS (
      SELECT id, origin = 'open_registration' AND expires_at IS NOT NULL AS is_kept FROM client
      WHERE id = ANY(ARRAY(${clients}))
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(${now} - ${intervalSeconds}))
        AND (expires_at IS NULL OR expires_at > to_timestamp(${now}))
      ORDER BY id FOR NO KEY UPDATE
    ), use_noted AS (
      UPDATE client SET last_used_at = to_timestamp(${now}), network_digest = NULL,
        expires_at = CASE WHEN is_kept THEN NULL ELSE expires_at END
      FROM use_due WHERE client.id = use_due.id
      RETURNING client.id, client.metadata, client.data, client.rights, client.status, is_kept
    ), use_kept AS (
      SELECT id, ${clientStateDigest('use_noted')} AS state FROM use_noted WHERE is_kept
    ), use_recorded AS (${recordEvent({
      from: 'use_kept',
      occurredAt: `to_timestamp(${now})`,
      actor: `'${DEFAULT_ACTOR}'`,
      action: `'client.kept'`,
      target: `'client:' || use_kept.id`,
      before: 'use_kept.state',
      after: 'use_kept.state',
    })})`;
}

/** That a token is issued to its client, where its columns are the first parameters of a statement. */
export function useOfToken(
  columns: Columns & { readonly client_id: string; readonly issued_at: string },
): NotedUses {
  return {
    clients: `SELECT ${placeholderOf(columns, 'client_id')}::text`,
    now: `${placeholderOf(columns, 'issued_at')}::float8`,
  };
}
