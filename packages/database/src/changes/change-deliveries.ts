import type { ChangeDeliveries } from '@vestibule/tokens/changes';
import type { RunStatement, Statement } from '../statement.js';

const LEASE = `$3::float8 * interval '1 millisecond'`;
const LEASE_END = `now() + ${LEASE}`;

/**
 * Condition for a lease that has not ended. One that ends later than two leases from now does not count: it was given
 * before the clock of the database was set back, or by a server whose clock was ahead of that of its replacement.
 */
const isHeld = (leasedUntil: string) => `${leasedUntil} > now() AND ${leasedUntil} <= now() + 2 * ${LEASE}`;

/**
 * The statements for receivers. By hand, because each is atomic with the clock of the database, which all processes
 * share. While another holder has the lease, `take` writes nothing.
 */
export const CHANGE_DELIVERY_STATEMENTS = {
  take: {
    name: 'change-delivery-take',
    text: `INSERT INTO change_delivery AS present (receiver, holder, leased_until)
      SELECT $1, $2, ${LEASE_END} WHERE NOT EXISTS (
        SELECT FROM change_delivery WHERE receiver = $1 AND holder <> $2 AND ${isHeld('leased_until')}
      )
      ON CONFLICT (receiver) DO UPDATE SET holder = EXCLUDED.holder, leased_until = EXCLUDED.leased_until
      WHERE present.holder = EXCLUDED.holder OR NOT (${isHeld('present.leased_until')})
      RETURNING event_id AS "eventId"`,
    repeatable: true,
  },
  renew: {
    name: 'change-delivery-renew',
    text: `UPDATE change_delivery SET leased_until = ${LEASE_END} WHERE receiver = $1 AND holder = $2`,
    repeatable: true,
  },
  advance: {
    name: 'change-delivery-advance',
    text: 'UPDATE change_delivery SET event_id = $3 WHERE receiver = $1 AND holder = $2',
    repeatable: true,
  },
  release: {
    name: 'change-delivery-release',
    // The column has milliseconds, to which `now()` could be rounded up.
    text: `UPDATE change_delivery SET leased_until = now() - interval '1 millisecond' WHERE receiver = $1 AND holder = $2`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Creates the store of the last change that a receiver accepted, in Postgres. */
export function changeDeliveries(run: RunStatement, receiver: string): ChangeDeliveries {
  const { take, renew, advance, release } = CHANGE_DELIVERY_STATEMENTS;
  const hasChanged = async (statement: Statement, ...values: readonly unknown[]) =>
    (await run(statement, [receiver, ...values])).rowCount > 0;
  return {
    take: async (holder, leaseMs) => {
      const { rows } = await run<{ readonly eventId: string | null }>(take, [receiver, holder, leaseMs]);
      return rows[0] && (rows[0].eventId === null ? {} : { eventId: rows[0].eventId });
    },
    renew: (holder, leaseMs) => hasChanged(renew, holder, leaseMs),
    advance: (holder, eventId) => hasChanged(advance, holder, eventId),
    release: async (holder) => {
      await hasChanged(release, holder);
    },
  };
}
