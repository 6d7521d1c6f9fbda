import type { Issuer } from '@vestibule/protocol';
import { type OpenApiDocument, openApiDocument, type RouteGroupOptions } from '@vestibule/service-kit';
import { SECURITY_SCHEMES } from './api-description.js';

/** Where the API document of the service is served: on the port and below the base address of the API itself. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/introspection.json';

/** The OpenAPI document of the introspection endpoint. @param server the base address of the service it is served by */
export function introspectionApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Token introspection',
    description:
      'Tells resource servers whether an access token is active, and what it stands for (RFC 7662, RFC 9701).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: { introspection: 'Ask whether a token is active.' },
    routeGroups: [routeGroup],
  });
}
