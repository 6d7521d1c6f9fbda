import { DomainError } from '@vestibule/protocol';
import type { FastifyPluginAsync, RawServerDefault } from 'fastify';
import type { BodyFormat } from './body-format.js';
import { contentTypeMatcher } from './content-type.js';
import { familyErrorHandler } from './error-handler.js';
import type { ErrorTable } from './error-table.js';
import type { Request, Server } from './fastify-types.js';
import type { LogLevel } from './logger.js';
import { addResource, type ResourceRoutes } from './resource.js';

/** Adds one resource with its operations. */
export type AddResource = (url: string, routes: ResourceRoutes) => void;

/** One endpoint family: what its resources have in common. */
export interface FamilyOptions {
  /** Its name in metrics and logs. */
  readonly name: string;
  /** The one form of request bodies. */
  readonly body: BodyFormat;
  /** How its failures look. */
  readonly errors: ErrorTable;
  /** The level of log lines about requests that succeed. Default `info`; `debug` for hot paths. */
  readonly successLevel?: LogLevel;
  /** Adds the resources. */
  readonly routes: (resource: AddResource) => void;
}

/**
 * An endpoint family as a Fastify plugin: a scope of its own with one body parser, one error table, no storing of any
 * answer, and a 405 for methods that a resource does not have. Several families live side by side in one server that
 * `createServer` made; nothing of one reaches another.
 */
export function endpointFamily(
  options: FamilyOptions,
): FastifyPluginAsync<Record<never, never>, RawServerDefault> {
  const { name, body, errors, successLevel = 'info', routes } = options;
  return async (scope) => {
    scope.setErrorHandler(familyErrorHandler(errors));
    addBodyParser(scope, body);
    routes((url, operations) => addResource(scope, { name, successLevel }, url, operations));
  };
}

function addBodyParser(scope: Server, format: BodyFormat): void {
  const isAccepted = contentTypeMatcher(format.mediaTypes);
  scope.addContentTypeParser<Buffer>(
    [...format.mediaTypes],
    { parseAs: 'buffer', bodyLimit: format.maxBytes },
    (request, bytes, done) => {
      if (!isAccepted(request.headers['content-type'])) {
        done(new DomainError('invalid_request', 'The Content-Type is not the one accepted here'));
      } else if (bytes.length === 0) {
        done(
          isBodyWanted(request) ? new DomainError('invalid_request', 'The body is empty') : null,
          undefined,
        );
      } else {
        done(null, format.parse(bytes));
      }
    },
  );
}

function isBodyWanted(request: Request): boolean {
  return request.routeOptions.schema?.body !== undefined;
}
