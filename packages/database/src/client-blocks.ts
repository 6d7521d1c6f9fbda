import {
  type BlockChange,
  type BlockedClient,
  type BlockedStretch,
  type ClientBlockName,
  type ClientBlocks,
  type ClientStretch,
  endBlockedClients,
  type PendingBlock,
} from '@vestibule/clients/blocks';
import { type ClientId, type EpochSeconds, parseClientId } from '@vestibule/protocol';
import { clientStateDigest, DEFAULT_ACTOR, recordEvent } from './audit/record-event.js';
import { because } from './changes/because.js';
import { member, secondsOf } from './column-values.js';
import { type ColumnsOf, jsonObject, type RowOf, storedMembers } from './columns.js';
import { statementFailure } from './database-errors.js';
import type { Client } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import { cutoffStatement } from './revocation-cutoff.js';
import type { RunStatement, Statement } from './statement.js';

const COLUMNS = {
  id: 'text',
  origin: 'client_origin',
  issuedAt: 'time',
} as const satisfies ColumnsOf<Client>;

type BlockedRow = RowOf<Client, typeof COLUMNS, BlockedClient>;

/** A row for each blocked client of a stretch; without any, one row without a client. */
interface StretchRow {
  readonly last: string | null;
  readonly blocked: BlockedRow | null;
}

/** Names in the spelling in which clients have them. */
const NAMES = `SELECT kind, CASE kind WHEN 'redirect_uri' THEN (vestibule_read_uri(value)).name ELSE value END AS value
  FROM unnest($1::client_block_kind[], $2::text[]) AS given (kind, value)`;

const change = (action: string) =>
  recordEvent({
    from: 'changed',
    occurredAt: 'to_timestamp($3)',
    actor: '$4::text',
    action: `'${action}'`,
    target: `'block:' || changed.kind || ':' || changed.value`,
  });

/** Lets one statement at a time delete blocked clients, so that no two wait for each other. */
const ENDING_LOCK = 'pg_advisory_xact_lock(4419027735518806242)';

/** The lock that clients take when they are added; see the migration that creates the triggers. */
const LOCK = 'pg_advisory_xact_lock(4419027735518806241)';

/**
 * By hand: `isBlocked` because requests need it, `pending` because every service runs it at intervals, and the others
 * because each is one atomic statement with its audit events, or calls a function of the database. `find` and `end` read
 * all clients in stretches.
 */
export const CLIENT_BLOCK_STATEMENTS = {
  add: {
    name: 'client-block-add',
    text: `WITH locked AS MATERIALIZED (SELECT ${LOCK}), changed AS (
        INSERT INTO client_block (kind, value, reason, blocked_at)
        SELECT DISTINCT named.kind, named.value, $5::text, to_timestamp($3) FROM (${NAMES}) AS named, locked
        ON CONFLICT (kind, value) DO UPDATE SET ended_at = NULL, reason = coalesce(EXCLUDED.reason, client_block.reason)
        RETURNING kind, value
      ) ${change('client_block.added')}`,
    repeatable: true,
  },
  remove: {
    name: 'client-block-remove',
    text: `WITH changed AS (
        DELETE FROM client_block WHERE (kind, value) IN (${NAMES}) RETURNING kind, value
      ) ${change('client_block.removed')}`,
    repeatable: false,
  },
  isBlocked: {
    name: 'client-block-covers',
    text: `SELECT vestibule_is_blocked(given.id, client.entity_id, coalesce(client.metadata, '{}')) AS blocked
      FROM (SELECT $1::text AS id) AS given LEFT JOIN client USING (id)`,
    repeatable: true,
  },
  pending: {
    name: 'client-block-pending',
    // PostgreSQL gives every version of a row the identifier of its transaction.
    text: 'SELECT kind, value, xmin::text AS revision FROM client_block WHERE ended_at IS NULL',
    repeatable: true,
  },
  find: {
    name: 'client-find-blocked',
    text: `WITH given AS MATERIALIZED (${NAMES}), stretch AS MATERIALIZED (
        SELECT id, origin, issued_at, entity_id, metadata FROM client WHERE id > $3 ORDER BY id LIMIT $4
      ), found AS (
        SELECT * FROM stretch WHERE EXISTS (
          SELECT FROM vestibule_names_of_client(id, entity_id, metadata) AS name JOIN given USING (kind, value))
      ) ${blockedIn('found')}`,
    repeatable: true,
  },
  end: {
    name: 'client-delete-blocked',
    text: `WITH locked AS MATERIALIZED (SELECT ${ENDING_LOCK}), stretch AS MATERIALIZED (
        SELECT id, entity_id, metadata FROM client WHERE id > $1 ORDER BY id LIMIT $2
      ), deleted AS (
        DELETE FROM client WHERE id = ANY(ARRAY(
          SELECT id FROM locked, stretch, ${because('deleted')} WHERE vestibule_is_blocked(id, entity_id, metadata)))
        RETURNING client.*, ${clientStateDigest('client')} AS state
      ), cutoff AS (
        ${cutoffStatement({ kind: 'client', values: 'SELECT id AS value FROM deleted', second: '$3' })}
      ), recorded AS (${recordEvent({
        from: 'deleted',
        occurredAt: 'to_timestamp($3)',
        actor: '$4::text',
        action: `'client.blocked'`,
        target: `'client:' || deleted.id`,
        before: 'deleted.state',
      })})
      ${blockedIn('deleted')}`,
    repeatable: false,
  },
  markEnded: {
    name: 'client-block-ended',
    text: `UPDATE client_block SET ended_at = to_timestamp($4)
      FROM unnest($1::client_block_kind[], $2::text[], $3::text[]) AS given (kind, value, revision)
      WHERE client_block.kind = given.kind AND client_block.value = given.value
        AND client_block.xmin::text = given.revision`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

function blockedIn(table: string): string {
  return `SELECT (SELECT max(id) FROM stretch) AS last, blocked
    FROM (SELECT) AS once LEFT JOIN (SELECT ${jsonObject(COLUMNS)} AS blocked FROM ${table} ORDER BY id) AS found ON true`;
}

/** Deletes the blocked clients that an interrupted command left. */
export async function finishBlocks(blocks: ClientBlocks, now: EpochSeconds): Promise<void> {
  const clock = { nowMs: () => now * 1000 };
  for await (const _deleted of endBlockedClients({ blocks, clock }, { actor: DEFAULT_ACTOR }));
}

/** Creates the store of blocks in Postgres. */
export function clientBlocks(run: RunStatement, obtainPrisma: ObtainPrisma): ClientBlocks {
  const { add, remove, isBlocked, pending, find, markEnded } = CLIENT_BLOCK_STATEMENTS;
  return {
    add: async (names, reason, { now, actor }) => {
      await run(add, [...valuesOf(names), now, actor, reason]);
    },
    remove: async (name, { now, actor }) =>
      (await run(remove, [...valuesOf([name]), now, actor])).rowCount > 0,
    list: async () => {
      const { clientBlock } = await obtainPrisma();
      const blocks = await clientBlock.findMany({ orderBy: [{ kind: 'asc' }, { value: 'asc' }] });
      return blocks.map(({ kind, value, reason, blockedAt, endedAt }) => ({
        kind,
        value,
        ...member('reason', reason),
        blockedAt: secondsOf(blockedAt),
        ...(endedAt && { endedAt: secondsOf(endedAt) }),
      }));
    },
    pending: async () => (await run<PendingBlock>(pending, [])).rows,
    isBlocked: async (id) => {
      const { rows } = await run<{ readonly blocked: boolean }>(isBlocked, [id]);
      return rows[0]?.blocked !== false;
    },
    find: async (names, stretch) =>
      stretchOf((await run<StretchRow>(find, [...valuesOf(names), ...boundsOf(stretch)])).rows),
    end: (stretch, change) => endStretch(run, stretch, change),
    markEnded: async (blocks, now) => {
      await run(markEnded, [...valuesOf(blocks), blocks.map(({ revision }) => revision), now]);
    },
  };
}

/** How much shorter a stretch becomes when its deletion took too long. */
const SHORTER = 10;

/** Clients may have any number of tokens, which are deleted with them. */
async function endStretch(
  run: RunStatement,
  stretch: ClientStretch,
  change: BlockChange,
): Promise<BlockedStretch> {
  const values = [...boundsOf(stretch), change.now, change.actor];
  try {
    return stretchOf((await run<StretchRow>(CLIENT_BLOCK_STATEMENTS.end, values)).rows);
  } catch (error) {
    if (stretch.limit <= 1 || statementFailure(error) !== 'timeout') throw error;
    return endStretch(run, { ...stretch, limit: Math.ceil(stretch.limit / SHORTER) }, change);
  }
}

function valuesOf(names: readonly ClientBlockName[]): readonly [string[], string[]] {
  return [names.map(({ kind }) => kind), names.map(({ value }) => value)];
}

function boundsOf({ after = '' as ClientId, limit }: ClientStretch): readonly [ClientId, number] {
  return [after, limit];
}

function stretchOf(rows: readonly StretchRow[]) {
  const last = parseClientId(rows[0]?.last);
  const blocked = rows.flatMap((row) => (row.blocked === null ? [] : [storedMembers(COLUMNS, row.blocked)]));
  return { blocked, ...(last !== undefined && { last }) };
}
