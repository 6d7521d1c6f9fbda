import type { Issuer } from '@vestibule/protocol';
import { type OpenApiDocument, openApiDocument, type RouteGroupOptions } from '@vestibule/service-kit';
import { SECURITY_SCHEMES } from './api-description.js';

/**
 * Where the API document of the direct authorisation endpoint is served: on the port and below the base address of it.
 */
export const API_DOCUMENT_PATH = '/.well-known/openapi/authorization.json';

/**
 * The OpenAPI document of the direct authorisation endpoint; the endpoints for clients and browsers are those of
 * discovery. @param server the base address of the service it is served by
 */
export function directAuthorizationApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Direct authorisation',
    description:
      'Issues and revokes tokens, and opens and ends sessions, for whoever holds the master token: the way in for an authorisation server in any language.',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: {
      authorization:
        'Issue and revoke tokens, and open and end sessions, for an authorization server of your own.',
    },
    routeGroups: [routeGroup],
  });
}
