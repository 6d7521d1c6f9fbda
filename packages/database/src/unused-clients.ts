import type { ClientRepository, UnusedClient, UnusedClients } from '@vestibule/clients';
import { clientStateDigest, recordEvent } from './audit/record-event.js';
import { because } from './changes/because.js';
import { type ColumnsOf, type RowOf, selectList, storedMembers } from './columns.js';
import type { Client } from './generated/client.js';
import { cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

const COLUMNS = { id: 'text', issuedAt: 'time', lastUsedAt: 'time' } as const satisfies ColumnsOf<Client>;

type UnusedRow = RowOf<Client, typeof COLUMNS, UnusedClient>;

// A client with a live token or authorization is in use, whatever was recorded. Self-contained tokens are not stored;
// issuing one is only recorded as a use.
const UNUSED = `coalesce(last_used_at, issued_at) < to_timestamp($1) AND origin::text = ANY($2::text[])
  AND id > $3 AND NOT EXISTS (
    SELECT FROM refresh_token WHERE client_id = client.id AND expires_at > to_timestamp($4)
      AND consumed_at IS NULL
  ) AND NOT EXISTS (
    SELECT FROM access_token WHERE client_id = client.id AND expires_at > to_timestamp($4)
  ) AND NOT EXISTS (
    SELECT FROM "authorization" WHERE client_id = client.id
      AND (expires_at IS NULL OR expires_at > to_timestamp($4))
  )
  ORDER BY id LIMIT $5`;

/**
 * The statements for unused clients. They scan all clients in batches, for commands of the operator. By hand, because the
 * deletion is one atomic statement that skips locked rows, and what is shown before it has the same condition.
 */
export const UNUSED_CLIENT_STATEMENTS = {
  find: {
    name: 'client-find-unused',
    text: `SELECT ${selectList(COLUMNS)} FROM client WHERE ${UNUSED}`,
    repeatable: true,
  },
  delete: {
    name: 'client-delete-unused',
    text: `WITH deleted AS (
        DELETE FROM client WHERE id = ANY(ARRAY(
          SELECT id FROM client, ${because('unused')} WHERE ${UNUSED} FOR UPDATE OF client SKIP LOCKED))
        RETURNING client.*, ${clientStateDigest('client')} AS state
      ), cutoff AS (
        ${cutoffStatement({ kind: 'client', values: 'SELECT id AS value FROM deleted', second: '$4' })}
      ), recorded AS (${recordEvent({
        from: 'deleted',
        occurredAt: 'to_timestamp($4)',
        actor: '$6::text',
        action: `'client.pruned'`,
        target: `'client:' || deleted.id`,
        before: 'deleted.state',
      })})
      SELECT ${selectList(COLUMNS)} FROM deleted ORDER BY id`,
    repeatable: false,
  },
} as const satisfies Record<string, Statement>;

/** Creates the functions of the client repository for unused clients. */
export function unusedClients(run: RunStatement): Pick<ClientRepository, 'findUnused' | 'deleteUnused'> {
  return {
    findUnused: async (batch) => {
      const { rows } = await run<UnusedRow>(UNUSED_CLIENT_STATEMENTS.find, values(batch));
      return rows.map((row) => storedMembers(COLUMNS, row));
    },
    deleteUnused: async (batch, actor) => {
      const { rows } = await run<UnusedRow>(UNUSED_CLIENT_STATEMENTS.delete, [...values(batch), actor]);
      return rows.map((row) => storedMembers(COLUMNS, row));
    },
  };
}

function values({ unusedSince, origins, now, after = '' as UnusedClient['id'], limit }: UnusedClients) {
  return [unusedSince, origins, after, now, limit];
}
