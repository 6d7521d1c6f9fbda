import type { DeliveryOutbox } from '@vestibule/logout/delivery';
import { DELIVERY_STATEMENTS, deliveryOutbox } from '../logout/delivery-outbox.js';
import type { RunStatement, Statement } from '../statement.js';
import type { Author } from './author.js';
import { recordEvent } from './record-event.js';

const EVENT = recordEvent({
  // The rows that the statement has changed, so that a delivery that was already pending is not recorded.
  from: 'queued',
  occurredAt: 'to_timestamp($3)',
  actor: '$2::text',
  action: `'logout_delivery.redelivered'`,
  target: `'logout_delivery:' || queued.id`,
});

/** The statement that queues a notification again and records it. By hand, because it is one atomic statement. */
export const RECORDED_REDELIVERY: Statement = {
  name: `${DELIVERY_STATEMENTS.redeliver.name}-recorded`,
  // RECURSIVE lets it refer to a later common table expression.
  text: `WITH RECURSIVE recorded AS (${EVENT}), ${DELIVERY_STATEMENTS.redeliver.text.slice('WITH '.length)}`,
  repeatable: false,
};

/** Creates the outbox whose redeliveries are recorded in the same statement. */
export function recordedRedeliveries(run: RunStatement, author: Author): Pick<DeliveryOutbox, 'redeliver'> {
  return deliveryOutbox((statement, values) =>
    statement.name === DELIVERY_STATEMENTS.redeliver.name
      ? run(RECORDED_REDELIVERY, [...values, author.actor, author.clock.nowMs() / 1000])
      : run(statement, values),
  );
}
