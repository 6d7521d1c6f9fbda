import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import { type Columns, placeholderOf } from './columns.js';

/**
 * A use within this time after the previous one is not written, so that the row of a client rarely changes; in seconds.
 */
export const USE_INTERVAL_SECONDS = 300;

/** The uses that a statement records: SQL expressions. */
export interface ClientUse {
  /** A query for the identifiers of the used clients. */
  readonly clients: string;
  /** Time of the use, in seconds since the epoch. */
  readonly now: string;
  /** Default {@link USE_INTERVAL_SECONDS}. */
  readonly intervalSeconds?: string;
}

/**
 * Builds the common table expressions that record uses of clients, in the statement that stores the token or session.
 * The first use of an open registration or of a client ID metadata document makes the client permanent, which is
 * audited as `client.kept`; an expired client stays expired. The lock makes one of parallel first uses see the result of the other, so that one of them is audited.
 */
export function recordClientUse({
  clients,
  now,
  intervalSeconds = `${USE_INTERVAL_SECONDS}`,
}: ClientUse): string {
  return `use_due AS (
      SELECT id, origin IN ('open_registration', 'metadata_document') AND expires_at IS NOT NULL AS is_kept FROM client
      WHERE id = ANY(ARRAY(${clients}))
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(${now} - ${intervalSeconds}))
        AND (expires_at IS NULL OR expires_at > to_timestamp(${now}))
      ORDER BY id FOR NO KEY UPDATE
    ), use_noted AS (
      UPDATE client SET last_used_at = to_timestamp(${now}), is_used = true, network_digest = NULL,
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

/** Records the use of a client by issuing a token whose columns are the first parameters of the statement. */
export function useOfToken(
  columns: Columns & { readonly clientId: string; readonly issuedAt: string },
): ClientUse {
  return {
    clients: `SELECT ${placeholderOf(columns, 'clientId')}::text`,
    now: `${placeholderOf(columns, 'issuedAt')}::float8`,
  };
}
