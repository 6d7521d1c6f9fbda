import { DomainError } from '@vestibule/protocol';
import type { Request, Server } from '../server/fastify-types.js';
import type { BodyFormat } from './body-format.js';

/** A body format that is parsed from raw bytes. */
export interface BytesFormat {
  readonly mediaTypes: readonly string[];
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  /**
   * Parses a non-empty body.
   * @throws DomainError `invalid_request` if it does not have the format of its media type
   */
  parse(bytes: Buffer): unknown;
}

/**
 * Creates a body format that is parsed from raw bytes. If the operation requires a body, an empty one is refused; if it
 * does not, the bytes are not parsed.
 */
export function bytesBody({ mediaTypes, maxBytes, parse }: BytesFormat): BodyFormat {
  return {
    mediaTypes,
    install: async (scope: Server) => {
      const options = { parseAs: 'buffer', bodyLimit: maxBytes } as const;
      scope.addContentTypeParser<Buffer>([...mediaTypes], options, (request, bytes, done) => {
        if (!isBodyWanted(request)) done(null, undefined);
        else if (bytes.length > 0) done(null, parse(bytes));
        else done(new DomainError('invalid_request', 'The body is empty'), undefined);
      });
    },
  };
}

function isBodyWanted(request: Request): boolean {
  return request.routeOptions.schema?.body !== undefined;
}
