import type { DeliveryOutbox } from '@vestibule/logout';
import { DELIVERY_STATEMENTS, deliveryOutbox } from '../logout/delivery-outbox.js';
import type { RunStatement, Statement } from '../statement.js';
import type { Author } from './author.js';
import { recordEvent } from './record-event.js';

const EVENT = recordEvent({
  // The row that the statement itself has changed, so that what waits already is not recorded.
  from: 'queued',
  occurredAt: 'to_timestamp($3)',
  actor: '$2::text',
  action: `'logout_delivery.redelivered'`,
  target: `'logout_delivery:' || queued.id`,
});

/** The statement that lets a notification wait again and records it. */
export const RECORDED_REDELIVERY: Statement = {
  name: `${DELIVERY_STATEMENTS.redeliver.name}-recorded`,
  // Recursive alone lets it refer to what comes after it.
  text: `WITH RECURSIVE recorded AS (${EVENT}), ${DELIVERY_STATEMENTS.redeliver.text.slice('WITH '.length)}`,
  repeatable: false,
};

/** The outbox that records who had what delivered again, in the same statement. */
export function recordedRedeliveries(run: RunStatement, author: Author): Pick<DeliveryOutbox, 'redeliver'> {
  return deliveryOutbox((statement, values) =>
    statement.name === DELIVERY_STATEMENTS.redeliver.name
      ? run(RECORDED_REDELIVERY, [...values, author.actor, author.clock.nowMs() / 1000])
      : run(statement, values),
  );
}
