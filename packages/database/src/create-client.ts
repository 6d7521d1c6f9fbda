import type { Client, CreateOutcome, CreationTerms } from '@vestibule/clients';
import { clientStateDigest, DEFAULT_ACTOR, initialTokenIdentity, recordEvent } from './audit/record-event.js';
import { CLIENT_COLUMNS, clientToRow } from './client-row.js';
import { columnNames, parameters, placeholders } from './columns.js';
import { isUniqueViolation, takenResourceIdentifier } from './database-errors.js';
import { idempotencyRecordValues, insertIdempotencyRecord } from './idempotency-record-store.js';
import type { RunStatement, Statement } from './statement.js';

/** Optional parts of a creation. */
interface CreationParts {
  /** Whether it consumes an initial access token. */
  readonly consumesToken: boolean;
  /** Whether it stores an idempotency record. */
  readonly storesRecord: boolean;
}

// The parameters after those of the columns; a creation that consumes no token has no last two.
const ACTOR = Object.keys(CLIENT_COLUMNS).length + 1;
const MOST_UNUSED = ACTOR + 1;
const NETWORK = MOST_UNUSED + 1;
const SHARED = NETWORK + 1;
const RECORD = SHARED + 1;

/**
 * The statements that create clients, one per combination, because PostgreSQL prepares unused parts too. By hand,
 * because each is one atomic statement: the client, the use of the token, the idempotency record and the audit events.
 */
export const CLIENT_CREATION_STATEMENTS = {
  create: creation('client-create', { consumesToken: false, storesRecord: false }),
  createWithRecord: creation('client-create-with-record', { consumesToken: false, storesRecord: true }),
  createConsuming: creation('client-create-consuming', { consumesToken: true, storesRecord: false }),
  createConsumingWithRecord: creation('client-create-consuming-with-record', {
    consumesToken: true,
    storesRecord: true,
  }),
} as const satisfies Record<string, Statement>;

// An identifier that is taken rolls back everything, including the use of the token.
function creation(name: string, { consumesToken, storesRecord }: CreationParts): Statement {
  const digestsParameter = storesRecord ? RECORD + 3 : RECORD;
  const parts = [
    ...(consumesToken ? [consuming(digestsParameter)] : []),
    `created AS (
      INSERT INTO client (${columnNames(CLIENT_COLUMNS)}, network_digest, shared_digest)
      SELECT ${placeholders(CLIENT_COLUMNS)}, ($${NETWORK}::bytea[])[1], $${SHARED}::bytea
      WHERE ${consumesToken ? 'EXISTS (SELECT FROM consumed) AND' : ''}
        ($${MOST_UNUSED}::integer IS NULL OR vestibule_has_room_for_open_client($${MOST_UNUSED}, $${NETWORK}))
      RETURNING id, metadata, data, rights, status, issued_at
    )`,
    ...(storesRecord ? [`stored_record AS (${insertIdempotencyRecord('created', RECORD)})`] : []),
    `recorded AS (${recordEvent({
      from: consumesToken ? 'created, consumed' : 'created',
      occurredAt: 'created.issued_at',
      actor: consumesToken
        ? `coalesce(${initialTokenIdentity('consumed.digest')}, $${ACTOR}::text)`
        : `$${ACTOR}::text`,
      action: `'client.registered'`,
      target: `'client:' || created.id`,
      after: clientStateDigest('created'),
    })})`,
    ...(consumesToken ? useOfToken(digestsParameter + 1) : []),
  ];
  return { name, text: `WITH ${parts.join(', ')} SELECT FROM created`, repeatable: false };
}

function consuming(digestsParameter: number): string {
  return `consumed AS (
    UPDATE initial_access_token SET uses_left = uses_left - 1
    WHERE digest = ANY($${digestsParameter}::bytea[]) AND uses_left > 0 AND expires_at > to_timestamp($${digestsParameter + 1})
    RETURNING digest
  )`;
}

function useOfToken(now: number): readonly string[] {
  return [
    `used AS (
      INSERT INTO initial_access_token_use (token_digest, client_id, used_at)
      SELECT consumed.digest, created.id, to_timestamp($${now}) FROM consumed, created
    )`,
    `recorded_use AS (${recordEvent({
      from: 'created, consumed',
      occurredAt: `to_timestamp($${now})`,
      actor: initialTokenIdentity('consumed.digest'),
      action: `'initial_access_token.spent'`,
      target: initialTokenIdentity('consumed.digest'),
      details: `jsonb_build_object('client_id', created.id)`,
    })})`,
  ];
}

/** Creates a client (see the port). */
export async function createClient(
  run: RunStatement,
  client: Client,
  { consuming, actor = DEFAULT_ACTOR, unusedClientCap, sharedDigest, idempotencyRecords }: CreationTerms = {},
): Promise<CreateOutcome> {
  const { create, createWithRecord, createConsuming, createConsumingWithRecord } = CLIENT_CREATION_STATEMENTS;
  const [plain, withRecord] =
    consuming === undefined ? [create, createWithRecord] : [createConsuming, createConsumingWithRecord];
  const values = [
    ...parameters(CLIENT_COLUMNS, clientToRow(client)),
    actor,
    unusedClientCap?.most,
    unusedClientCap?.network,
    sharedDigest,
    ...(idempotencyRecords === undefined ? [] : idempotencyRecordValues(idempotencyRecords)),
    ...(consuming === undefined ? [] : [consuming.digests, consuming.now]),
  ];
  try {
    const { rowCount } = await run(idempotencyRecords === undefined ? plain : withRecord, values);
    if (rowCount > 0) return 'created';
    return consuming === undefined ? 'no_room' : 'token_not_usable';
  } catch (error) {
    if (isUniqueViolation(error) && takenResourceIdentifier(error) === undefined) return 'id_taken';
    throw error;
  }
}
