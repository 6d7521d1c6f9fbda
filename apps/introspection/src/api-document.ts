import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, openApiDocument } from '@vestibule/http/openapi';
import type { Issuer } from '@vestibule/protocol';
import { SECURITY_SCHEMES } from './api-description.js';

/** Path of the API document, below the base address and on the port of the API itself. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/introspection.json';

/**
 * Builds the OpenAPI document of the introspection endpoint.
 * @param server base address of the service that serves the document
 */
export function introspectionApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Token introspection',
    description:
      'Tells resource servers whether an access token is active, and what it stands for (RFC 7662, RFC 9701).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: { introspection: 'Check whether a token is active.' },
    routeGroups: [routeGroup],
  });
}
