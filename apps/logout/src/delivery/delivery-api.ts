import { MEDIA_TYPE } from '@vestibule/protocol';
import type { OperationDescription } from '@vestibule/service-kit';
import { Type } from 'typebox';
import { DeliverySchema } from './delivery-answer.js';

/** How operators prove who they are. */
export const DELIVERY_SECURITY = {
  masterToken: { type: 'http', scheme: 'bearer', description: 'The master token of the operator.' },
} as const;

/** GET /logout/deliveries */
export const LIST_DELIVERIES: OperationDescription = {
  id: 'listLogoutDeliveries',
  summary: 'List back-channel notifications',
  description: 'The latest first, a page at a time. Neither end-users nor sessions are named.',
  security: ['masterToken'],
  responses: {
    200: {
      description: 'A page of notifications.',
      headers: {
        link: {
          description: 'The next page, where there is one (RFC 8288): `rel="next"`.',
          schema: Type.String(),
        },
      },
      content: { [MEDIA_TYPE.json]: Type.Array(DeliverySchema) },
    },
  },
  errors: ['invalid_request', 'missing_token', 'invalid_token'],
};

/** POST /logout/deliveries/{id}/redeliver */
export const REDELIVER: OperationDescription = {
  id: 'redeliverLogout',
  summary: 'Deliver a notification again',
  description:
    'Whether it was given up or taken: it waits again, as if the session had ended now. Its next logout token is a fresh one.',
  security: ['masterToken'],
  parameters: { id: 'The identifier of the notification.' },
  responses: {
    202: { description: 'It waits for its next attempt.' },
    409: { description: 'It waits already; nothing changes.' },
  },
  errors: ['missing_token', 'invalid_token', 'not_found'],
};
