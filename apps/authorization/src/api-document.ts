import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, openApiDocument } from '@vestibule/http/openapi';
import type { Issuer } from '@vestibule/protocol';
import { SECURITY_SCHEMES } from './api-description.js';

/** Path of the API document of the direct authorization endpoint, below the base address of the service. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/authorization.json';

/**
 * The OpenAPI document of the direct authorization endpoint; discovery describes the endpoints for clients and
 * browsers.
 * @param server the base address of the service that serves it
 */
export function directAuthorizationApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Direct authorization',
    description:
      'Issues, imports and revokes tokens, and opens and ends sessions, with the master token: for an authorization server in any language.',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: {
      authorization:
        'Issue, import and revoke tokens, and open and end sessions, for an authorization server of your own.',
    },
    routeGroups: [routeGroup],
  });
}
