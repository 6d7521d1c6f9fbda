import type { Issuer } from '@vestibule/protocol';
import { type OpenApiDocument, openApiDocument, type RouteGroupOptions } from '@vestibule/service-kit';
import { SECURITY_SCHEMES } from './api-description.js';

/**
 * Where the API document of the service is served: on the port and below the base address of the API itself, because
 * it is for those who call it, who do not reach the management port.
 */
export const API_DOCUMENT_PATH = '/.well-known/openapi/registration.json';

/** The OpenAPI document of the registration endpoint. @param server the base address of the service it is served by */
export function registrationApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Client registration',
    description:
      'Registers, lists, reads, updates and deletes OAuth 2.0 and OpenID Connect clients (RFC 7591, RFC 7592, OpenID Connect Dynamic Client Registration 1.0).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: { registration: 'Register clients, and manage what is registered.' },
    routeGroups: [routeGroup],
  });
}
