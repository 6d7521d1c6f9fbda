import type { DeliveryRecord } from '@vestibule/logout/delivery';
import { type Static, Type } from 'typebox';

const Instant = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the Unix epoch.` });

/** A notification as operators see it. */
export const DeliverySchema = Type.Object(
  {
    id: Type.String({ description: 'Its identifier.' }),
    client_id: Type.String({ description: 'The client that is notified.' }),
    uri: Type.String({ description: 'The address that is notified, without its query.' }),
    state: Type.Enum(['pending', 'delivered', 'dead'], {
      description: 'Whether the notification waits for an attempt, was delivered, or was given up.',
    }),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    next_attempt_at: Type.Optional(Instant('Time of the next attempt')),
    last_status: Type.Optional(
      Type.Integer({ description: 'HTTP status of the last response of the client.' }),
    ),
    last_error: Type.Optional(
      Type.String({
        description:
          'Why the last attempt failed: `timeout`, `refused`, `unresolvable`, `tls`, `protocol`, `status`, `redirect`, `blocked`, `client_deleted`, `unsigned`, `no_encryption_key`, `not_prepared`, `aborted`, `overloaded` or `late`.',
      }),
    ),
    created_at: Instant('Time at which the session ended'),
    redelivered_at: Type.Optional(Instant('Time at which an operator requested another delivery')),
    finished_at: Type.Optional(Instant('Time at which it was delivered or given up')),
  },
  { description: 'A back-channel notification.' },
);

/** Serializes a notification without the end-user, the session, and the query of its address, which may be a secret. */
export function deliveryResponse(record: DeliveryRecord): Static<typeof DeliverySchema> {
  const { id, clientId, uri, state, attempts, createdAt } = record;
  return {
    id,
    client_id: clientId,
    uri: uri.replace(/[?#].*$/s, ''),
    state,
    attempts,
    ...(record.nextAttemptAt !== undefined && { next_attempt_at: Math.floor(record.nextAttemptAt) }),
    ...(record.lastStatus !== undefined && { last_status: record.lastStatus }),
    ...(record.lastError !== undefined && { last_error: record.lastError }),
    created_at: Math.floor(createdAt),
    ...(record.redeliveredAt !== undefined && { redelivered_at: Math.floor(record.redeliveredAt) }),
    ...(record.finishedAt !== undefined && { finished_at: Math.floor(record.finishedAt) }),
  };
}
