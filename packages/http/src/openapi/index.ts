export { documentedRouteGroup, type ServedApiDocument } from './documented-route-group.js';
export { EVENT_STREAM_REQUEST_HEADERS, EVENT_STREAM_RESPONSE_HEADERS } from './event-stream.js';
export { objectOf, openObject } from './open-object.js';
export { type OpenApiDocument, type OpenApiOptions, openApiDocument } from './openapi-document.js';
export type {
  HeaderDescription,
  OpenApiPart,
  OperationDescription,
  ResponseDescription,
} from './operation-description.js';
