import type { Client, ClientReplacement, ClientRepository } from '@vestibule/clients';
import { blockedClientRefusal } from '@vestibule/clients/blocks';
import { resourceIdentifierRefusal, resourceName } from '@vestibule/clients/resource-servers';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientId } from '@vestibule/protocol';
import { batchLoader, nodeScheduler } from '@vestibule/protocol/runtime';
import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import {
  CLIENT_OBJECT,
  CLIENT_STATE_COLUMNS,
  clientToRow,
  type SelectedClient,
  selectedClient,
} from './client-row.js';
import { listClients, pageOfClients } from './client-selection.js';
import {
  assignments,
  type ColumnsOf,
  columnNames,
  parameters,
  placeholderOf,
  placeholders,
  type RowOf,
  selectList,
  storedMembers,
} from './columns.js';
import { CLIENT_CREATION_STATEMENTS, createClient } from './create-client.js';
import { isBlockedClient, takenResourceIdentifier } from './database-errors.js';
import type { PreviousClientSecret as PreviousSecretModel } from './generated/client.js';
import { recordClientUse } from './record-client-use.js';
import { cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';
import { unusedClients } from './unused-clients.js';

const PREVIOUS_SECRET_COLUMNS = {
  digest: 'bytea',
  encrypted: 'text',
  authenticatesUntil: 'time',
  keptUntil: 'time',
} as const satisfies ColumnsOf<PreviousSecretModel>;

/**
 * Bounds the work for ID token hints and wrong secrets, which try every previous secret, however often it was replaced.
 */
const MAX_PREVIOUS_SECRETS = 50;

const NO_PREVIOUS_SECRET: { readonly [Field in keyof typeof PREVIOUS_SECRET_COLUMNS]?: undefined } = {};

type PreviousSecretRow = RowOf<PreviousSecretModel, typeof PREVIOUS_SECRET_COLUMNS>;

// The parameters that follow those of the columns.
const AFTER_STATE = Object.keys(CLIENT_STATE_COLUMNS).length + 1;
const AFTER_SECRET = AFTER_STATE + Object.keys(PREVIOUS_SECRET_COLUMNS).length;

const USED_AT = `to_timestamp($${AFTER_SECRET + 1})`;
const STATUS = `${placeholderOf(CLIENT_STATE_COLUMNS, 'status')}::client_status`;
const METADATA = `${placeholderOf(CLIENT_STATE_COLUMNS, 'metadata')}::jsonb`;
const DATA = `${placeholderOf(CLIENT_STATE_COLUMNS, 'data')}::jsonb`;
const KEPT_TOKEN = `${placeholderOf(CLIENT_STATE_COLUMNS, 'previousRegistrationTokenDigest')}::bytea`;

/** The members whose differences audit events name. */
const RECORDED_MEMBERS = `metadata || CASE WHEN data IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('data', data) END`;

/**
 * The statements of the repository. By hand: the reads, `forgetPreviousToken` and `markUsed` because requests
 * authenticate and are counted with them, `extendUnused` because it is one atomic statement, `hasRoom` and `isBlocked`
 * because they call functions of the database, and the changes because each is one atomic statement with its audit event.
 */
export const CLIENT_STATEMENTS = {
  ...CLIENT_CREATION_STATEMENTS,
  find: {
    name: 'client-find',
    text: `SELECT ${CLIENT_OBJECT} FROM client WHERE id = ANY($1::text[])`,
    repeatable: true,
  },
  // Each token of each read separately; a client never has two tokens with the same digest.
  findByRegistrationToken: {
    name: 'client-find-by-registration-token',
    text: `SELECT requested.request, ${CLIENT_OBJECT}
      FROM unnest($1::integer[], $2::text[], $3::bytea[]) AS requested (request, client_id, token_digest)
      JOIN client ON client.id = requested.client_id
        AND requested.token_digest IN (registration_token_digest, previous_registration_token_digest)`,
    repeatable: true,
  },
  findByEntity: {
    name: 'client-find-by-entity',
    text: `SELECT ${CLIENT_OBJECT} FROM client WHERE entity_id = $1`,
    repeatable: true,
  },
  findByResourceIdentifier: {
    name: 'client-find-by-resource-identifier',
    text: `SELECT ${CLIENT_OBJECT} FROM client
      WHERE id = (SELECT client_id FROM client_resource_identifier WHERE identifier = $1)`,
    repeatable: true,
  },
  findShared: {
    name: 'client-find-shared',
    text: `SELECT ${CLIENT_OBJECT} FROM client WHERE shared_digest = $1`,
    repeatable: true,
  },
  extendUnused: {
    name: 'client-extend-unused',
    text: `UPDATE client SET expires_at = GREATEST(expires_at, to_timestamp($2))
      WHERE id = $1 AND expires_at > to_timestamp($3) AND last_used_at IS NULL`,
    repeatable: true,
  },
  hasRoom: {
    name: 'client-has-room',
    text: 'SELECT vestibule_has_room_for_open_client($1::integer, $2::bytea[]) AS room',
    repeatable: true,
  },
  isBlocked: {
    name: 'client-is-blocked',
    text: 'SELECT vestibule_is_blocked($1::text, $2::text, $3::jsonb) AS blocked',
    repeatable: true,
  },
  // The lock finds the state that the update replaces, even if the row was changed a moment ago, so that a registration
  // access token that was replaced then does not come back.
  replace: {
    name: 'client-replace',
    text: `WITH present AS (
        SELECT id, ${clientStateDigest('client')} AS state, ${RECORDED_MEMBERS} AS members FROM client
        WHERE id = $${AFTER_SECRET} AND version = $${AFTER_SECRET + 2}::integer - 1 AND (${KEPT_TOKEN} IS NULL
          OR ${KEPT_TOKEN} IN (registration_token_digest, previous_registration_token_digest))
        FOR UPDATE
      ), replaced AS (
        UPDATE client SET ${assignments(CLIENT_STATE_COLUMNS)},
          expires_at = CASE WHEN client.origin IN ('open_registration', 'metadata_document') AND client.last_used_at IS NOT NULL THEN NULL
            ELSE to_timestamp($${AFTER_SECRET + 3}) END,
          last_used_at = GREATEST(client.last_used_at, ${USED_AT}),
          is_used = client.is_used OR ${USED_AT} IS NOT NULL,
          network_digest = CASE WHEN ${USED_AT} IS NULL THEN client.network_digest END,
          shared_digest = CASE WHEN client.shared_digest IS NOT NULL AND ${STATUS} <> 'suspended'
            AND client.metadata = ${METADATA} AND client.data IS NOT DISTINCT FROM ${DATA} THEN client.shared_digest END
        FROM present
        WHERE client.id = present.id AND client.version = $${AFTER_SECRET + 2}::integer - 1
        RETURNING client.id, client.metadata, client.data, client.rights, client.status, client.updated_at,
          present.state, present.members
      ), kept AS (
        INSERT INTO earlier_client_secret (client_id, ${columnNames(PREVIOUS_SECRET_COLUMNS)})
        SELECT id, ${placeholders(PREVIOUS_SECRET_COLUMNS, AFTER_STATE)} FROM replaced
        WHERE $${AFTER_STATE}::bytea IS NOT NULL
      ), recorded AS (${recordEvent({
        from: 'replaced',
        occurredAt: 'replaced.updated_at',
        actor: `$${AFTER_SECRET + 4}::text`,
        action: `$${AFTER_SECRET + 5}::text`,
        target: `'client:' || replaced.id`,
        before: 'replaced.state',
        after: clientStateDigest('replaced'),
        details: `vestibule_member_changes(replaced.members, ${RECORDED_MEMBERS})`,
      })})
      SELECT FROM replaced`,
    repeatable: false,
  },
  forgetPreviousToken: {
    name: 'client-forget-previous-token',
    text: `UPDATE client
      SET previous_registration_token_digest = NULL, previous_registration_token_expires_at = NULL
      WHERE id = $1 AND registration_token_digest = $2 AND previous_registration_token_digest IS NOT NULL`,
    repeatable: true,
  },
  // Foreign keys delete everything that belongs to the row.
  delete: {
    name: 'client-delete',
    text: `WITH deleted AS (
        DELETE FROM client WHERE id = $1 AND ($5::integer IS NULL OR version = $5) RETURNING id, ${clientStateDigest('client')} AS state
      ), cutoff AS (
        ${cutoffStatement({ kind: 'client', values: 'SELECT id AS value FROM deleted', second: '$2' })}
      ), recorded AS (${recordEvent({
        from: 'deleted',
        occurredAt: 'to_timestamp($2)',
        actor: '$3::text',
        action: '$4::text',
        target: `'client:' || deleted.id`,
        before: 'deleted.state',
      })})
      SELECT id FROM deleted`,
    repeatable: false,
  },
  // A recent use is not recorded again, because introspection must not write a row per request.
  markUsed: {
    name: 'client-mark-used',
    text: `WITH ${recordClientUse({
      clients: 'SELECT unnest($1::text[])',
      now: '$2::float8',
      intervalSeconds: '$3::float8',
    })} SELECT`,
    repeatable: true,
  },
  previousSecrets: {
    name: 'client-previous-secrets',
    text: `SELECT ${selectList(PREVIOUS_SECRET_COLUMNS)} FROM earlier_client_secret
      WHERE client_id = $1 AND kept_until > to_timestamp($2)
      ORDER BY id DESC LIMIT ${MAX_PREVIOUS_SECRETS}`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Largest number of keys in one statement. */
const MAX_BATCH = 64;

/** Creates the repository of clients in Postgres. */
export function clientRepository(run: RunStatement): ClientRepository {
  const inBatches = { scheduler: nodeScheduler, maxBatch: MAX_BATCH };
  const findByToken = batchLoader({
    ...inBatches,
    load: (requests: readonly TokenInspection[]) => findByTokens(run, requests),
  });
  const find = batchLoader({ ...inBatches, load: (ids: readonly ClientId[]) => findByIds(run, ids) });
  return {
    find: async (id) => {
      const row = await find(id);
      return row && selectedClient(row);
    },
    findByRegistrationToken: async (id, digests) => {
      const row = await findByToken({ id, digests });
      return row && selectedClient(row);
    },
    findByEntity: async (entityId) => {
      const { rows } = await run<SelectedClient>(CLIENT_STATEMENTS.findByEntity, [entityId]);
      return rows[0] && selectedClient(rows[0]);
    },
    findByResourceIdentifier: async (identifier) => {
      const name = resourceName(identifier);
      const { rows } = await run<SelectedClient>(CLIENT_STATEMENTS.findByResourceIdentifier, [name]);
      return rows[0] && selectedClient(rows[0]);
    },
    findShared: async (digest) => {
      const { rows } = await run<SelectedClient>(CLIENT_STATEMENTS.findShared, [digest]);
      return rows[0] && selectedClient(rows[0]);
    },
    extendUnused: async (id, { now, expiresAt }) => {
      const { rowCount } = await run(CLIENT_STATEMENTS.extendUnused, [id, expiresAt, now]);
      return rowCount > 0;
    },
    create: (client, terms) => refusingNames(client, createClient(run, client, terms)),
    hasRoom: async ({ most, network }) => {
      const { rows } = await run<{ readonly room: boolean }>(CLIENT_STATEMENTS.hasRoom, [most, network]);
      return rows[0]?.room === true;
    },
    isBlocked: async ({ id, federation, metadata }) => {
      const values = [id, federation?.entityId, metadata];
      const { rows } = await run<{ readonly blocked: boolean }>(CLIENT_STATEMENTS.isBlocked, values);
      return rows[0]?.blocked !== false;
    },
    replace: (replacement) => refusingNames(replacement.client, replace(run, replacement)),
    forgetPreviousRegistrationToken: async (id, current) => {
      const { rowCount } = await run(CLIENT_STATEMENTS.forgetPreviousToken, [id, current]);
      return rowCount > 0;
    },
    delete: async (id, now, { actor = DEFAULT_ACTOR, action = 'client.deleted', ifVersion } = {}) => {
      const { rowCount } = await run(CLIENT_STATEMENTS.delete, [id, now, actor, action, ifVersion]);
      return rowCount > 0;
    },
    markUsed: async (ids, now, intervalSeconds) => {
      await run(CLIENT_STATEMENTS.markUsed, [ids, now, intervalSeconds]);
    },
    ...unusedClients(run),
    list: (selection) => listClients(run, selection),
    page: (selection, limit) => pageOfClients(run, selection, limit),
    previousSecrets: async (id, now) => {
      const { rows } = await run<PreviousSecretRow>(CLIENT_STATEMENTS.previousSecrets, [id, now]);
      return rows.map((row) => storedMembers(PREVIOUS_SECRET_COLUMNS, row));
    },
  };
}

/** A client with the digests of its registration access token. */
interface TokenInspection {
  readonly id: ClientId;
  readonly digests: readonly Digest[];
}

async function findByIds(
  run: RunStatement,
  ids: readonly ClientId[],
): Promise<readonly (SelectedClient | undefined)[]> {
  const { rows } = await run<SelectedClient>(CLIENT_STATEMENTS.find, [ids]);
  const found = new Map(rows.map((row) => [row.client.id, row]));
  return ids.map((id) => found.get(id));
}

async function findByTokens(
  run: RunStatement,
  requests: readonly TokenInspection[],
): Promise<readonly (SelectedClient | undefined)[]> {
  const requested = requests.flatMap(({ id, digests }, request) =>
    digests.map((digest) => ({ request, id, digest })),
  );
  const { rows } = await run<SelectedClient & { readonly request: number }>(
    CLIENT_STATEMENTS.findByRegistrationToken,
    [
      requested.map(({ request }) => request),
      requested.map(({ id }) => id),
      requested.map(({ digest }) => digest),
    ],
  );
  const found = new Map(rows.map((row) => [row.request, row]));
  return requests.map((_, request) => found.get(request));
}

/** Waits for a change, and refuses a blocked client and a resource identifier of another client. */
async function refusingNames<Outcome>(client: Client, change: Promise<Outcome>): Promise<Outcome> {
  try {
    return await change;
  } catch (error) {
    if (isBlockedClient(error)) throw blockedClientRefusal();
    const taken = takenResourceIdentifier(error);
    throw taken === undefined ? error : resourceIdentifierRefusal(client, taken);
  }
}

async function replace(run: RunStatement, replacement: ClientReplacement): Promise<boolean> {
  const { client, previousSecret, actor = DEFAULT_ACTOR, action = 'client.updated' } = replacement;
  const { rowCount } = await run(CLIENT_STATEMENTS.replace, [
    ...parameters(CLIENT_STATE_COLUMNS, clientToRow(client)),
    ...parameters(PREVIOUS_SECRET_COLUMNS, previousSecret ?? NO_PREVIOUS_SECRET),
    client.id,
    client.lastUsedAt,
    client.version,
    client.expiresAt,
    actor,
    action,
  ]);
  return rowCount > 0;
}
