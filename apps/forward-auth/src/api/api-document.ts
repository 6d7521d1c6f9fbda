import type { RouteGroupOptions } from '@vestibule/http';
import { type OpenApiDocument, openApiDocument } from '@vestibule/http/openapi';
import { SECURITY_SCHEMES } from './api-description.js';

/** Path of the API document. */
export const API_DOCUMENT_PATH = '/.well-known/openapi/forward-auth.json';

/** The OpenAPI document of the service. It names no address: only the gateways reach the service. */
export function forwardAuthApi(routeGroup: RouteGroupOptions): OpenApiDocument {
  return openApiDocument({
    title: 'Forward authentication',
    description:
      'Tells gateways whether a request may pass: by route, access token, scope, and proof of possession. Only gateways may reach it.',
    version: '1',
    securitySchemes: SECURITY_SCHEMES,
    tags: { 'forward-auth': 'Decide about requests, and publish keys and metadata of the resources.' },
    routeGroups: [routeGroup],
  });
}
