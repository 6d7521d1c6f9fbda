import type { AuditActor } from '@vestibule/clients';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { recordEvent } from './audit/record-event.js';
import { instant, member, secondsOf } from './column-values.js';
import { type ColumnsOf, columnNames, type RowOf, selectList, storedMembers } from './columns.js';
import type { HistoricalKey as HistoricalKeyModel } from './generated/client.js';
import type { ObtainPrisma } from './lazy-prisma.js';
import type { RunStatement, Statement } from './statement.js';

/** Operator decisions about federations. Every registration reads them, so that they take effect everywhere at once. */
export interface FederationControls {
  /** Entities that are not accepted in any trust chain. */
  readonly denied: ReadonlySet<string>;
  /** Number of purges of cached statements. Instances discard their cache when it changes. */
  readonly purges: number;
}

/** An entity on the deny list. */
export interface DeniedEntityEntry {
  readonly entityId: string;
  readonly deniedAt: EpochSeconds;
  readonly reason?: string;
}

/** A client that is registered as an entity of a federation. */
export interface FederationMember {
  readonly clientId: string;
  readonly entityId: string;
  /** The beginning of `client_name`, at most 200 characters; absent if it has none. */
  readonly name?: string;
  readonly trustAnchor: string;
  readonly superior: string;
  readonly chainExpiresAt: EpochSeconds;
  readonly isActive: boolean;
}

/** A change by an operator. */
export interface FederationChange {
  readonly actor: AuditActor;
  readonly now: EpochSeconds;
}

/** A federation key that is no longer published. */
export interface HistoricalKey {
  readonly publicJwk: JsonObject;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** Records of operators and of the federation service. Changes are audited in the same statement. */
export interface FederationRecords {
  controls(): Promise<FederationControls>;
  /** Lists the denied entities by identifier. */
  denied(): Promise<readonly DeniedEntityEntry[]>;
  /** Adds an entity to the deny list, or changes its reason. */
  deny(
    entry: { readonly entityId: string; readonly reason?: string },
    change: FederationChange,
  ): Promise<void>;
  /** Removes an entity from the deny list; false when it was not on it. */
  allow(entityId: string, change: FederationChange): Promise<boolean>;
  /**
   * Lists registered entities by identifier.
   * @param after the identifier to start after; default: the beginning
   */
  members(page: { readonly after?: string; readonly limit: number }): Promise<readonly FederationMember[]>;
  /**
   * Lists the identifiers of clients that are registered with a trust chain that contains an entity.
   * @param atMost ends the list at this length, with any of the clients in any order; default: all of them, in order
   */
  clientsThrough(entityId: string, atMost?: number): Promise<readonly string[]>;
  /** Makes every instance discard its cached statements before it uses one again. */
  purgeStatements(change: FederationChange): Promise<void>;
  /** Lists federation keys that were used and are no longer published, oldest first. */
  historicalKeys(now: EpochSeconds): Promise<readonly HistoricalKey[]>;
}

const event = (action: string, target: string) =>
  recordEvent({
    from: 'changed',
    occurredAt: 'to_timestamp($1)',
    actor: '$2::text',
    action: `'${action}'`,
    target,
  });

const KEY_COLUMNS = {
  publicJwk: 'jsonb',
  createdAt: 'time',
  expiresAt: 'time',
} as const satisfies ColumnsOf<HistoricalKeyModel>;

interface MemberRow extends Omit<FederationMember, 'name' | 'chainExpiresAt'> {
  readonly name: string | null;
  readonly chainExpiresAt: number;
}

type HistoricalKeyRow = RowOf<HistoricalKeyModel, typeof KEY_COLUMNS, HistoricalKey>;

/** Clients whose trust chain contains an entity; the list of the entities is that of an index. */
const CLIENTS_THROUGH = `SELECT id FROM client WHERE entity_id IS NOT NULL
  AND (string_to_array(chain_entities, ' ') || ARRAY[entity_id, superior, trust_anchor]) COLLATE "C" @> ARRAY[$1::text]`;

/**
 * By hand, because each is one atomic statement: a change with its audit event, a read of two tables at the same time,
 * or a condition that Prisma Client cannot express. The controls are also read for each registration.
 */
export const FEDERATION_STATEMENTS = {
  controls: {
    name: 'federation-controls',
    text: `SELECT COALESCE((SELECT count FROM statement_purge), 0) AS purges,
      ARRAY(SELECT entity_id FROM denied_entity) AS denied`,
    repeatable: true,
  },
  deny: {
    name: 'denied-entity-add',
    text: `WITH changed AS (
        INSERT INTO denied_entity (denied_at, entity_id, reason) VALUES (to_timestamp($1), $3, $4)
        ON CONFLICT (entity_id) DO UPDATE SET reason = EXCLUDED.reason RETURNING entity_id
      ) ${event('federation.entity_denied', `'entity:' || changed.entity_id`)}`,
    repeatable: true,
  },
  allow: {
    name: 'denied-entity-remove',
    text: `WITH changed AS (DELETE FROM denied_entity WHERE entity_id = $3 RETURNING entity_id)
      ${event('federation.entity_allowed', `'entity:' || changed.entity_id`)}`,
    repeatable: false,
  },
  clientsThrough: {
    name: 'client-list-through-entity',
    text: `${CLIENTS_THROUGH} ORDER BY id`,
    repeatable: true,
  },
  someClientsThrough: {
    name: 'client-list-through-entity-limited',
    text: `${CLIENTS_THROUGH} LIMIT $2`,
    repeatable: true,
  },
  members: {
    name: 'federation-member-list',
    text: `SELECT id AS "clientId", entity_id AS "entityId", left(metadata->>'client_name', 200) AS name,
        trust_anchor AS "trustAnchor", superior, extract(epoch FROM chain_expires_at)::float8 AS "chainExpiresAt",
        status = 'active' AS "isActive"
      FROM client WHERE entity_id > $1 ORDER BY entity_id LIMIT $2`,
    repeatable: true,
  },
  purge: {
    name: 'statement-purge',
    text: `WITH changed AS (
        INSERT INTO statement_purge (count, purged_at) VALUES (1, to_timestamp($1))
        ON CONFLICT (id) DO UPDATE SET count = statement_purge.count + 1, purged_at = EXCLUDED.purged_at RETURNING id
      ) ${event('federation.statements_purged', `'federation'`)}`,
    repeatable: true,
  },
  historicalKeys: {
    name: 'historical-key-list',
    text: `SELECT ${selectList(KEY_COLUMNS)} FROM (
        SELECT ${columnNames(KEY_COLUMNS)} FROM historical_key
        UNION ALL
        SELECT ${columnNames(KEY_COLUMNS)} FROM signing_key
        WHERE key_set = 'federation' AND state = 'retired' AND activated_at IS NOT NULL
          AND expires_at <= to_timestamp($1)
      ) AS expired ORDER BY expired.created_at`,
    repeatable: true,
  },
} satisfies Readonly<Record<string, Statement>>;

/** Creates the federation records in Postgres. */
export function federationRecords(run: RunStatement, obtainPrisma: ObtainPrisma): FederationRecords {
  return {
    controls: async () => {
      const { rows } = await run<{ purges: number; denied: readonly string[] }>(
        FEDERATION_STATEMENTS.controls,
        [],
      );
      return { denied: new Set(rows[0]?.denied), purges: rows[0]?.purges ?? 0 };
    },
    denied: async () => {
      const { deniedEntity } = await obtainPrisma();
      const entries = await deniedEntity.findMany({ orderBy: { entityId: 'asc' } });
      return entries.map(({ entityId, reason, deniedAt }) => ({
        entityId,
        deniedAt: secondsOf(deniedAt),
        ...member('reason', reason),
      }));
    },
    deny: async ({ entityId, reason }, { actor, now }) => {
      await run(FEDERATION_STATEMENTS.deny, [now, actor, entityId, reason]);
    },
    allow: async (entityId, { actor, now }) =>
      (await run(FEDERATION_STATEMENTS.allow, [now, actor, entityId])).rowCount > 0,
    clientsThrough: async (entityId, atMost) => {
      const { clientsThrough, someClientsThrough } = FEDERATION_STATEMENTS;
      const { rows } = await (atMost === undefined
        ? run<{ id: string }>(clientsThrough, [entityId])
        : run<{ id: string }>(someClientsThrough, [entityId, atMost]));
      return rows.map(({ id }) => id);
    },
    members: async ({ after = '', limit }) => {
      const { rows } = await run<MemberRow>(FEDERATION_STATEMENTS.members, [after, limit]);
      return rows.map(({ name, chainExpiresAt, ...row }) => ({
        ...row,
        ...member('name', name),
        chainExpiresAt: instant(chainExpiresAt),
      }));
    },
    purgeStatements: async ({ actor, now }) => {
      await run(FEDERATION_STATEMENTS.purge, [now, actor]);
    },
    historicalKeys: async (now) => {
      const { rows } = await run<HistoricalKeyRow>(FEDERATION_STATEMENTS.historicalKeys, [now]);
      return rows.map((row) => storedMembers(KEY_COLUMNS, row));
    },
  };
}
