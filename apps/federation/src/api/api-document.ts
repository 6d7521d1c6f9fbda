import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, openApiDocument } from '@vestibule/http/openapi';
import type { Issuer } from '@vestibule/protocol';
import { SECURITY_SCHEMES } from './api-description.js';

/** Path of the API document, below the base address of the service. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/federation.json';

/**
 * The OpenAPI document of the service.
 * @param server the base address of the service that serves it
 */
export function federationApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Federation',
    description:
      'Registers relying parties of federations explicitly, publishes the statements of the provider, and explains why an entity is trusted or not (OpenID Federation 1.0).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: {
      federation:
        'Register relying parties of federations, read the statements of the provider, and explain trust.',
    },
    routeGroups: [routeGroup],
  });
}
