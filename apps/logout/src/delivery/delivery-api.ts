import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, type OperationDescription, openApiDocument } from '@vestibule/http/openapi';
import type { Issuer } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { Type } from 'typebox';
import { DeliverySchema } from './delivery-response.js';

/** Path of the API document of the delivery routes. */
export const DELIVERY_DOCUMENT_PATH = '/.well-known/openapi/logout.json';

/**
 * The OpenAPI document of the delivery routes.
 * @param server the base address of the service that serves it
 */
export function deliveryApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Logout notifications',
    description:
      'Lists back-channel logout notifications and delivers them again (OpenID Connect Back-Channel Logout 1.0).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: DELIVERY_SECURITY,
    tags: { deliveries: 'List back-channel logout notifications and deliver them again.' },
    routeGroups: [routeGroup],
  });
}

/** How operators authenticate. */
export const DELIVERY_SECURITY = {
  masterToken: { type: 'http', scheme: 'bearer', description: 'The master token of the operator.' },
} as const;

/** GET /logout/deliveries */
export const LIST_DELIVERIES: OperationDescription = {
  id: 'listLogoutDeliveries',
  summary: 'List back-channel notifications',
  description:
    'The latest first, a page at a time. The list can be limited to an end-user or a session; the response contains neither.',
  security: ['masterToken'],
  responses: {
    200: {
      description: 'A page of notifications.',
      headers: {
        link: {
          description: 'The next page, if there is one (RFC 8288): `rel="next"`.',
          schema: Type.String(),
        },
      },
      content: { [MEDIA_TYPE.json]: Type.Array(DeliverySchema) },
      examples: {
        [MEDIA_TYPE.json]: [
          {
            id: '0199f3a2-5c1e-7b44-9d0a-3f1c2e5b7a60',
            client_id: 'k8s0p2q4',
            uri: 'https://app.example/backchannel-logout',
            state: 'delivered',
            attempts: 1,
            last_status: 200,
            created_at: 1796079600,
            finished_at: 1796079601,
          },
        ],
      },
    },
  },
  errors: ['invalid_request', 'missing_token', 'invalid_token'],
};

/** POST /logout/deliveries/{id}/redeliver */
export const REDELIVER: OperationDescription = {
  id: 'redeliverLogout',
  summary: 'Deliver a notification again',
  description:
    'The notification waits again, as if the session had just ended, whether it was delivered or given up. A new logout token is issued.',
  security: ['masterToken'],
  parameters: { id: 'The identifier of the notification.' },
  responses: {
    202: { description: 'The notification waits for its next attempt.' },
    409: { description: 'The notification is waiting already; nothing changes.' },
  },
  errors: ['missing_token', 'invalid_token', 'not_found'],
};
