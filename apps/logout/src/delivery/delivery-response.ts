import type { DeliveryRecord } from '@vestibule/logout';
import { type Static, Type } from 'typebox';

const Instant = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the Unix epoch.` });

/** A notification as operators see it. */
export const DeliverySchema = Type.Object(
  {
    id: Type.String({ description: 'Its identifier.' }),
    client_id: Type.String({ description: 'The client that is to be told.' }),
    uri: Type.String({ description: 'Where it is told, without the query.' }),
    state: Type.Enum(['pending', 'delivered', 'dead'], {
      description: 'Whether it waits for its next attempt, was taken, or was given up.',
    }),
    attempts: Type.Integer({ description: 'How many attempts there were.' }),
    next_attempt_at: Type.Optional(Instant('When it is tried next')),
    last_status: Type.Optional(Type.Integer({ description: 'The status that the client answered with.' })),
    last_error: Type.Optional(
      Type.String({
        description:
          'Why the last attempt did not deliver: `timeout`, `refused`, `unresolvable`, `tls`, `protocol`, `status`, `redirect`, `blocked`, `client_deleted`, `unsigned`, `no_encryption_key`, `not_prepared`, `aborted`, `overloaded` or `late`.',
      }),
    ),
    created_at: Instant('When the session ended'),
    redelivered_at: Type.Optional(Instant('When an operator asked for it again')),
    finished_at: Type.Optional(Instant('When it was taken or given up')),
  },
  { description: 'A back-channel notification.' },
);

/** Writes a notification without the end-user, the session, and the query of its address, which may be a secret. */
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
