import { type Static, Type } from 'typebox';

/** The settings of delivering back-channel notifications, by environment variable. */
export const DELIVERY_SETTINGS = {
  LOGOUT_DELIVERY_CONCURRENCY: Type.Integer({
    description:
      'How many notifications are delivered at a time, four to one host and port; four times as many may wait for slow clients.',
    default: 64,
    minimum: 1,
    maximum: 512,
  }),
  LOGOUT_DELIVERY_TIMEOUT_MS: Type.Integer({
    description: 'How long one attempt to deliver may take, in milliseconds.',
    default: 3_000,
    minimum: 100,
    maximum: 5_000,
  }),
  LOGOUT_DELIVERY_MAX_AGE_SECONDS: Type.Integer({
    description: 'How long after it was asked for a notification is given up, in seconds.',
    default: 86_400,
    minimum: 1,
    maximum: 86_400,
  }),
  LOGOUT_DELIVERY_LEASE_SECONDS: Type.Integer({
    description: 'After how long another process takes over from one that died while delivering, in seconds.',
    default: 20,
    minimum: 12,
    maximum: 30,
  }),
  LOGOUT_DELIVERY_POLL_MS: Type.Integer({
    description:
      'How often it is looked for notifications whose time has come, in milliseconds; new ones are announced.',
    default: 1_000,
    minimum: 100,
    maximum: 60_000,
  }),
  LOGOUT_DELIVERY_RETENTION_SECONDS: Type.Integer({
    description: 'How long a notification that was delivered or given up stays visible, in seconds.',
    default: 604_800,
    minimum: 60,
    maximum: 31_536_000,
  }),
  LOGOUT_EXPIRED_SESSIONS_INTERVAL_SECONDS: Type.Integer({
    description: 'How often expired sessions are ended and their clients told, in seconds.',
    default: 10,
    minimum: 1,
    maximum: 3_600,
  }),
};

const DeliverySettings = Type.Object(DELIVERY_SETTINGS);

/** The settings of delivering back-channel notifications, checked. */
export type DeliveryConfig = Readonly<Static<typeof DeliverySettings>>;
