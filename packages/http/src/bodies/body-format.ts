import type { Server } from '../server/fastify-types.js';

/** Format of the request bodies of a route group or of one operation. */
export interface BodyFormat {
  /** Accepted media types in lower case, without parameters. Others are refused. */
  readonly mediaTypes: readonly string[];
  /** Adds the parser to the scope of a route group or operation. The parser throws DomainError `invalid_request`. */
  install(scope: Server): Promise<void>;
}
