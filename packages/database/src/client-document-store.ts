import type {
  DocumentEvent,
  DocumentLease,
  DocumentRecord,
  DocumentStore,
  DocumentUrl,
  FoundDocument,
  RecordedProblem,
} from '@vestibule/clients/metadata-documents';
import { batchLoader, nodeScheduler } from '@vestibule/protocol/runtime';
import { CLIENT_OBJECT, type SelectedClient, selectedClient } from './client-row.js';
import {
  type ColumnsOf,
  columnNames,
  jsonObject,
  parameters,
  placeholders,
  type RowOf,
  storedMembers,
} from './columns.js';
import type { ClientMetadataDocument as DocumentModel } from './generated/client.js';
import type { RunStatement, Statement } from './statement.js';

const COLUMNS = {
  etag: 'text',
  lastModified: 'text',
  digest: 'text',
  rules: 'text',
  validatedAt: 'time',
  freshUntil: 'time',
  withdrawnAt: 'time',
  problem: 'jsonb',
  history: 'jsonb',
} as const satisfies ColumnsOf<DocumentModel>;

interface JsonMembers {
  readonly problem?: RecordedProblem;
  readonly history: readonly DocumentEvent[];
}

type DocumentRow = RowOf<DocumentModel, typeof COLUMNS, JsonMembers>;

interface FoundRow {
  readonly url: string;
  readonly document: DocumentRow | null;
  readonly is_leased: boolean;
  readonly is_blocked: boolean;
  readonly client: SelectedClient['client'] | null;
}

interface LeaseRow {
  readonly has_room: boolean;
  readonly token: string | null;
}

// The parameters after the URL and those of the columns.
const NOW = Object.keys(COLUMNS).length + 2;
const TOKEN = NOW + 1;

/**
 * The token of a lease is its end: a lease begins when the one before is over or was given up, and so ends later than
 * every one that its holder may still believe in.
 */
const LEASE_TOKEN = 'extract(epoch FROM client_metadata_document.leased_until)::text';

const isHeld = (token: number) =>
  `client_metadata_document.leased_until > now() AND ${LEASE_TOKEN} = $${token}::text`;

/** How long a document that registered no client is kept, in seconds. */
const KEPT_SECONDS = 86_400;

/**
 * By hand: `find` because requests need it, the lease because it is one atomic statement that only one of several
 * instances may win, and `save` because it must see the client as it is in that statement. Leases use the clock of the
 * database, since those of instances differ.
 */
export const CLIENT_DOCUMENT_STATEMENTS = {
  find: {
    name: 'client-document-find',
    text: `SELECT requested.url, stored.document, COALESCE(stored.is_leased, false) AS is_leased, registered.client,
        vestibule_is_blocked(requested.url, registered.entity_id, coalesce(registered.metadata, '{}')) AS is_blocked
      FROM unnest($1::text[]) AS requested (url)
      LEFT JOIN (SELECT url, ${jsonObject(COLUMNS)} AS document, leased_until > now() AS is_leased
        FROM client_metadata_document) AS stored ON stored.url = requested.url
      LEFT JOIN (SELECT id, entity_id, metadata, ${CLIENT_OBJECT} FROM client) AS registered ON registered.id = requested.url`,
    repeatable: true,
  },
  lease: {
    name: 'client-document-lease',
    text: `WITH admission AS (
        SELECT CASE
          WHEN $3::integer IS NULL OR EXISTS (SELECT FROM client_metadata_document WHERE url = $1) THEN true
          ELSE vestibule_has_room_for_document($3, $4)
        END AS has_room
      ), leased AS (
        INSERT INTO client_metadata_document (url, history, leased_until, expires_at, network_digest)
        SELECT $1, '[]', now() + make_interval(secs => $2), now() + make_interval(secs => ${KEPT_SECONDS}),
          ($4::bytea[])[1]
        FROM admission WHERE has_room
        ON CONFLICT (url) DO UPDATE SET leased_until = EXCLUDED.leased_until
        WHERE client_metadata_document.leased_until IS NULL OR client_metadata_document.leased_until <= now()
        RETURNING ${LEASE_TOKEN} AS token
      )
      SELECT has_room, (SELECT token FROM leased) AS token FROM admission`,
    repeatable: false,
  },
  // The lock keeps the client, so that a document never refers to one that is being deleted.
  save: {
    name: 'client-document-save',
    text: `WITH registered AS (SELECT id, last_used_at FROM client WHERE id = $1 AND origin = 'metadata_document' FOR KEY SHARE)
      INSERT INTO client_metadata_document (url, ${columnNames(COLUMNS)}, client_id, expires_at)
      SELECT $1, ${placeholders(COLUMNS, 2)}, (SELECT id FROM registered),
        CASE WHEN NOT EXISTS (SELECT FROM registered) THEN to_timestamp($${NOW} + ${KEPT_SECONDS}) END
      ON CONFLICT (url) DO UPDATE SET (${columnNames(COLUMNS)}, client_id, expires_at, leased_until, network_digest)
        = ROW(${excluded()}, EXCLUDED.client_id, EXCLUDED.expires_at, NULL,
          CASE WHEN (SELECT last_used_at FROM registered) IS NULL THEN client_metadata_document.network_digest END)
        WHERE ${isHeld(TOKEN)}`,
    repeatable: true,
  },
  release: {
    name: 'client-document-release',
    text: `UPDATE client_metadata_document SET leased_until = NULL WHERE url = $1 AND ${isHeld(2)}`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/**
 * By hand: one atomic statement that skips what other processes lease. It reads every
 * document, for a maintenance job. The problem keeps its times as numbers.
 */
export const LEASE_DUE_DOCUMENTS: Statement = {
  name: 'client-document-lease-due',
  text: `WITH due AS (
      SELECT document.url FROM client_metadata_document AS document JOIN client ON client.id = document.client_id
      WHERE document.fresh_until <= to_timestamp($1) AND (document.leased_until IS NULL OR document.leased_until <= now())
        AND client.status = 'active' AND (client.is_used OR client.last_used_at IS NOT NULL)
        AND (client.expires_at IS NULL OR client.expires_at > to_timestamp($1))
        AND coalesce((document.problem ->> 'retryAt')::float8 <= $1, true)
        AND coalesce((document.problem ->> 'at')::float8 <= $1 - $4::float8
          OR coalesce((document.problem ->> 'at')::float8 < extract(epoch FROM document.withdrawn_at) + $5::float8
            AND extract(epoch FROM document.withdrawn_at) + $5 <= $1, false), true)
      ORDER BY coalesce((document.problem ->> 'at')::float8, extract(epoch FROM document.fresh_until)), document.url
      LIMIT $3 FOR NO KEY UPDATE OF document SKIP LOCKED
    )
    UPDATE client_metadata_document SET leased_until = now() + make_interval(secs => $2)
    FROM due WHERE client_metadata_document.url = due.url RETURNING client_metadata_document.url, ${LEASE_TOKEN} AS token`,
  repeatable: false,
};

function excluded(): string {
  return columnNames(COLUMNS)
    .split(', ')
    .map((column) => `EXCLUDED.${column}`)
    .join(', ');
}

/** Largest number of documents in one statement. */
const MAX_BATCH = 64;

/** Creates the store of client ID metadata documents in Postgres. */
export function clientDocumentStore(run: RunStatement): DocumentStore {
  const { save, release } = CLIENT_DOCUMENT_STATEMENTS;
  return {
    find: batchLoader({ scheduler: nodeScheduler, maxBatch: MAX_BATCH, load: (urls) => findAll(run, urls) }),
    lease: async (...request) => {
      const outcome = await tryToLease(run, ...request);
      // A parallel call may have added the same document, which took the last room and which the snapshot did not show.
      return outcome === 'no_room' ? tryToLease(run, ...request) : outcome;
    },
    leaseDue: async ({ now, seconds, limit, pauseSeconds, withdrawnSeconds }) => {
      const bounds = [now, seconds, limit, pauseSeconds, withdrawnSeconds];
      return (await run<DocumentLease>(LEASE_DUE_DOCUMENTS, bounds)).rows;
    },
    save: async ({ url, token }, record, now) =>
      (await run(save, [url, ...valuesOf(record), now, token])).rowCount > 0,
    release: async ({ url, token }) => {
      await run(release, [url, token]);
    },
  };
}

async function tryToLease(
  run: RunStatement,
  ...[url, seconds, cap]: Parameters<DocumentStore['lease']>
): ReturnType<DocumentStore['lease']> {
  const { rows } = await run<LeaseRow>(CLIENT_DOCUMENT_STATEMENTS.lease, [
    url,
    seconds,
    cap?.most,
    cap?.network,
  ]);
  const [row] = rows;
  if (row?.has_room !== true) return 'no_room';
  return row.token === null ? 'held' : { url, token: row.token };
}

async function findAll(run: RunStatement, urls: readonly DocumentUrl[]): Promise<readonly FoundDocument[]> {
  const { rows } = await run<FoundRow>(CLIENT_DOCUMENT_STATEMENTS.find, [urls]);
  const found = new Map(rows.map((row) => [row.url, row]));
  return urls.map((url) => {
    // Every URL has a row; without one the document would count as blocked.
    const {
      document,
      is_leased: isLeased = false,
      is_blocked: isBlocked = true,
      client,
    } = found.get(url) ?? {};
    return {
      isLeased,
      isBlocked,
      ...(document && { record: recordOf(document) }),
      ...(client && { client: selectedClient({ client }) }),
    };
  });
}

function recordOf(row: DocumentRow): DocumentRecord {
  const { etag, lastModified, ...record } = storedMembers(COLUMNS, row);
  return {
    ...record,
    validators: { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) },
  };
}

function valuesOf({ validators, problem, history, ...record }: DocumentRecord): readonly unknown[] {
  const { etag, lastModified } = validators;
  const { digest, rules, validatedAt, freshUntil, withdrawnAt } = record;
  return parameters(COLUMNS, {
    etag,
    lastModified,
    digest,
    rules,
    validatedAt,
    freshUntil,
    withdrawnAt,
    problem,
    // The driver would write a list as an array of PostgreSQL.
    history: JSON.stringify(history),
  });
}
