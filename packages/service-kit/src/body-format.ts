import type { Server } from './fastify-types.js';

/** The one form in which the requests of an route group, or of one operation, carry their bodies. */
export interface BodyFormat {
  /** Media types without parameters, in lower case. Anything else is refused. */
  readonly mediaTypes: readonly string[];
  /** Adds the parser to the scope of a route group or an operation; it refuses with DomainError `invalid_request`. */
  install(scope: Server): Promise<void>;
}
