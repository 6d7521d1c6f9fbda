import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, openApiDocument } from '@vestibule/http/openapi';
import type { Issuer } from '@vestibule/protocol';
import { SECURITY_SCHEMES } from './api-description.js';

/** Path of the API document. It is on the API port, because API clients do not reach the management port. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/registration.json';

/**
 * OpenAPI document of the registration API.
 * @param server the base address of the service that serves it
 */
export function registrationApi(routeGroup: RouteGroupOptions, server?: Issuer): OpenApiDocument {
  return openApiDocument({
    title: 'Client registration',
    description:
      'Registers, lists, reads, updates and deletes OAuth 2.0 and OpenID Connect clients (RFC 7591, RFC 7592, OpenID Connect Dynamic Client Registration 1.0).',
    version: '1',
    ...(server !== undefined && { server }),
    securitySchemes: SECURITY_SCHEMES,
    tags: { registration: 'Register and manage clients.' },
    routeGroups: [routeGroup],
  });
}
