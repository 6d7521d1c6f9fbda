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
  readonly spends: boolean;
  /** Whether it stores an idempotency record. */
  readonly remembers: boolean;
}

// The parameters after those of the columns; a creation that consumes no token has no last two.
const ACTOR = Object.keys(CLIENT_COLUMNS).length + 1;
const MOST_UNUSED = ACTOR + 1;
const NETWORK = MOST_UNUSED + 1;
const REMEMBERED = NETWORK + 1;

/**
 * The statements that create clients, one per combination, because PostgreSQL prepares unused parts too. By hand,
 * because each is one atomic statement: the client, the use of the token, the idempotency record and the audit events.
 */
export const CLIENT_CREATION_STATEMENTS = {
  create: creation('client-create', { spends: false, remembers: false }),
  createRemembered: creation('client-create-remembered', { spends: false, remembers: true }),
  createConsuming: creation('client-create-spending', { spends: true, remembers: false }),
  createConsumingRemembered: creation('client-create-spending-remembered', { spends: true, remembers: true }),
} as const satisfies Record<string, Statement>;

// An identifier that is taken rolls back everything, including the use of the token.
function creation(name: string, { spends, remembers }: CreationParts): Statement {
  const candidates = remembers ? REMEMBERED + 3 : REMEMBERED;
  const parts = [
    ...(spends ? [consuming(candidates)] : []),
    `created AS (
      INSERT INTO client (${columnNames(CLIENT_COLUMNS)}, network_digest)
      SELECT ${placeholders(CLIENT_COLUMNS)}, ($${NETWORK}::bytea[])[1]
      WHERE ${spends ? 'EXISTS (SELECT FROM spent) AND' : ''}
        ($${MOST_UNUSED}::integer IS NULL OR vestibule_has_room_for_open_client($${MOST_UNUSED}, $${NETWORK}))
      RETURNING id, metadata, data, rights, status, issued_at
    )`,
    ...(remembers ? [`remembered AS (${insertIdempotencyRecord('created', REMEMBERED)})`] : []),
    `recorded AS (${recordEvent({
      from: spends ? 'created, spent' : 'created',
      occurredAt: 'created.issued_at',
      actor: spends
        ? `coalesce(${initialTokenIdentity('spent.digest')}, $${ACTOR}::text)`
        : `$${ACTOR}::text`,
      action: `'client.registered'`,
      target: `'client:' || created.id`,
      after: clientStateDigest('created'),
    })})`,
    ...(spends ? useOfToken(candidates + 1) : []),
  ];
  return { name, text: `WITH ${parts.join(', ')} SELECT FROM created`, repeatable: false };
}

function consuming(candidates: number): string {
  return `spent AS (
    UPDATE initial_access_token SET uses_left = uses_left - 1
    WHERE digest = ANY($${candidates}::bytea[]) AND uses_left > 0 AND expires_at > to_timestamp($${candidates + 1})
    RETURNING digest
  )`;
}

function useOfToken(now: number): readonly string[] {
  return [
    `used AS (
      INSERT INTO initial_access_token_use (token_digest, client_id, used_at)
      SELECT spent.digest, created.id, to_timestamp($${now}) FROM spent, created
    )`,
    `recorded_use AS (${recordEvent({
      from: 'created, spent',
      occurredAt: `to_timestamp($${now})`,
      actor: initialTokenIdentity('spent.digest'),
      action: `'initial_access_token.spent'`,
      target: initialTokenIdentity('spent.digest'),
      details: `jsonb_build_object('client_id', created.id)`,
    })})`,
  ];
}

/** Creates a client (see the port). */
export async function createClient(
  run: RunStatement,
  client: Client,
  { consuming, actor = DEFAULT_ACTOR, unusedClientCap, remembered }: CreationTerms = {},
): Promise<CreateOutcome> {
  const { create, createRemembered, createConsuming, createConsumingRemembered } = CLIENT_CREATION_STATEMENTS;
  const [plain, remembering] =
    consuming === undefined ? [create, createRemembered] : [createConsuming, createConsumingRemembered];
  const values = [
    ...parameters(CLIENT_COLUMNS, clientToRow(client)),
    actor,
    unusedClientCap?.most,
    unusedClientCap?.network,
    ...(remembered === undefined ? [] : idempotencyRecordValues(remembered)),
    ...(consuming === undefined ? [] : [consuming.candidates, consuming.now]),
  ];
  try {
    const { rowCount } = await run(remembered === undefined ? plain : remembering, values);
    if (rowCount > 0) return 'created';
    return consuming === undefined ? 'no_room' : 'token_not_usable';
  } catch (error) {
    if (isUniqueViolation(error) && takenResourceIdentifier(error) === undefined) return 'id_taken';
    throw error;
  }
}
