import type { ClientRepository, UnusedClient, UnusedClients } from '@vestibule/clients';
import { clientStateDigest, recordEvent } from './audit/record-event.js';
import { instant, member } from './column-values.js';
import { cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

interface UnusedRow {
  readonly id: UnusedClient['id'];
  readonly issued_at: number;
  readonly last_used_at: number | null;
}

const COLUMNS = `id, extract(epoch FROM issued_at)::float8 AS issued_at,
  extract(epoch FROM last_used_at)::float8 AS last_used_at`;

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

/** The statements for unused clients. They scan all clients in batches, for commands of the operator. */
export const UNUSED_CLIENT_STATEMENTS = {
  find: {
    name: 'client-find-unused',
    text: `SELECT ${COLUMNS} FROM client WHERE ${UNUSED}`,
    repeatable: true,
  },
  delete: {
    name: 'client-delete-unused',
    text: `WITH deleted AS (
        DELETE FROM client WHERE id = ANY(ARRAY(SELECT id FROM client WHERE ${UNUSED} FOR UPDATE SKIP LOCKED))
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
      SELECT ${COLUMNS} FROM deleted ORDER BY id`,
    repeatable: false,
  },
} as const satisfies Record<string, Statement>;

/** Creates the functions of the client repository for unused clients. */
export function unusedClients(run: RunStatement): Pick<ClientRepository, 'findUnused' | 'deleteUnused'> {
  return {
    findUnused: async (batch) => {
      const { rows } = await run<UnusedRow>(UNUSED_CLIENT_STATEMENTS.find, values(batch));
      return rows.map(unusedFromRow);
    },
    deleteUnused: async (batch, actor) => {
      const { rows } = await run<UnusedRow>(UNUSED_CLIENT_STATEMENTS.delete, [...values(batch), actor]);
      return rows.map(unusedFromRow);
    },
  };
}

function values({ unusedSince, origins, now, after = '' as UnusedClient['id'], limit }: UnusedClients) {
  return [unusedSince, origins, after, now, limit];
}

function unusedFromRow(row: UnusedRow): UnusedClient {
  return {
    id: row.id,
    issuedAt: instant(row.issued_at),
    ...member('lastUsedAt', instant(row.last_used_at)),
  };
}
