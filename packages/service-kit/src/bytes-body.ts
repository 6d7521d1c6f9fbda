import { DomainError } from '@vestibule/protocol';
import type { BodyFormat } from './body-format.js';
import type { Request, Server } from './fastify-types.js';

/** A form of bodies that is read from the bytes themselves. */
export interface BytesFormat {
  readonly mediaTypes: readonly string[];
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /**
   * Reads a body that is not empty.
   * @throws DomainError `invalid_request` when it is not what the media type promises
   */
  parse(bytes: Buffer): unknown;
}

/**
 * Bodies that are read from their bytes. An empty one is refused where the operation wants a body; where it wants none
 * nothing is made of the bytes.
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
