import type { OwnedClients } from '@vestibule/clients/files';
import type { ClientId } from '@vestibule/protocol';
import { recordEvent } from './audit/record-event.js';
import type { RunStatement, Statement } from './statement.js';

/**
 * The statements for clients that files own. By hand: `find`, which pages through an index of its own, and `markDelivered`,
 * because it is one atomic statement with its audit events.
 */
export const OWNED_CLIENT_STATEMENTS = {
  find: {
    name: 'client-find-owned',
    text: 'SELECT id FROM client WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3',
    repeatable: true,
  },
  markDelivered: {
    name: 'client-mark-delivered',
    text: `WITH delivered AS (
        UPDATE client SET is_secret_undelivered = NULL
        FROM unnest($1::text[], $2::integer[]) AS given (id, version)
        WHERE client.id = given.id AND client.version = given.version AND client.is_secret_undelivered
        RETURNING client.id
      ) ${recordEvent({
        from: 'delivered',
        occurredAt: 'to_timestamp($3)',
        actor: '$4::text',
        action: `'client.secret_handed_over'`,
        target: `'client:' || delivered.id`,
      })}`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the store of what files own, in Postgres. */
export function ownedClients(run: RunStatement): OwnedClients {
  const { find, markDelivered } = OWNED_CLIENT_STATEMENTS;
  return {
    find: async (owner, { after = '', limit }) => idsOf(await run(find, [owner, after, limit])),
    markDelivered: async (clients, { actor, now }) => {
      const [ids, versions] = [clients.map(({ id }) => id), clients.map(({ version }) => version)];
      await run(markDelivered, [ids, versions, now, actor]);
    },
  };
}

function idsOf({ rows }: { readonly rows: readonly { readonly id: ClientId }[] }): readonly ClientId[] {
  return rows.map(({ id }) => id);
}
