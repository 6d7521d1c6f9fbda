import { type Static, Type } from 'typebox';

/** The settings of back-channel delivery, by environment variable. */
export const DELIVERY_SETTINGS = {
  LOGOUT_DELIVERY_CONCURRENCY: Type.Integer({
    description:
      'Notifications that are delivered in parallel, at most four to one host and port. Four times as many more may be waiting for slow clients.',
    default: 64,
    minimum: 1,
    maximum: 512,
  }),
  LOGOUT_DELIVERY_TIMEOUT_MS: Type.Integer({
    description: 'Timeout of one delivery attempt, in milliseconds.',
    default: 3_000,
    minimum: 100,
    maximum: 5_000,
  }),
  LOGOUT_DELIVERY_MAX_AGE_SECONDS: Type.Integer({
    description: 'How long delivery of a notification is tried, in seconds, from the end of the session.',
    default: 86_400,
    minimum: 1,
    maximum: 86_400,
  }),
  LOGOUT_DELIVERY_LEASE_SECONDS: Type.Integer({
    description:
      'Time after which another process takes over the deliveries of a process that died, in seconds.',
    default: 20,
    minimum: 12,
    maximum: 30,
  }),
  LOGOUT_DELIVERY_POLL_MS: Type.Integer({
    description:
      'Interval at which the outbox is polled for due notifications, in milliseconds. New ones are picked up at once.',
    default: 1_000,
    minimum: 100,
    maximum: 60_000,
  }),
  LOGOUT_DELIVERY_RETENTION_SECONDS: Type.Integer({
    description: 'How long finished notifications are kept, in seconds.',
    default: 604_800,
    minimum: 60,
    maximum: 31_536_000,
  }),
  LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: Type.Integer({
    description: 'Interval at which expired sessions are ended and their clients notified, in seconds.',
    default: 10,
    minimum: 1,
    maximum: 3_600,
  }),
};

const DeliverySettings = Type.Object(DELIVERY_SETTINGS);

/** The validated settings of back-channel delivery. */
export type DeliveryConfig = Readonly<Static<typeof DeliverySettings>>;
