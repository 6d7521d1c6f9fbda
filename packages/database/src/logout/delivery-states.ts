import type { DeliveryStates, NotificationState } from '@vestibule/logout';
import type { RunStatement, Statement } from '../statement.js';

/** The statement that reads the states of notifications. By hand, because open logout pages read them repeatedly. */
export const DELIVERY_STATE_STATEMENTS = {
  states: {
    name: 'logout-delivery-states',
    text: `SELECT id::text, CASE state
        WHEN 'delivered' THEN 'delivered'
        WHEN 'dead' THEN 'given_up'
        ELSE CASE WHEN last_status IS NULL AND last_error IS NULL THEN 'waiting' ELSE 'retrying' END
      END AS state
      FROM logout_delivery WHERE id = ANY($1::bigint[])`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface StateRow {
  readonly id: string;
  readonly state: NotificationState;
}

/** Creates the reader of the states of notifications in Postgres. */
export function deliveryStates(run: RunStatement): DeliveryStates {
  return {
    states: async (ids) => {
      const { rows } = await run<StateRow>(DELIVERY_STATE_STATEMENTS.states, [ids]);
      return new Map(rows.map(({ id, state }) => [id, state]));
    },
  };
}
