import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@vestibule/protocol';
import type { Request, Server } from '../server/fastify-types.js';

/** Format of the request bodies of a route group or of one operation. */
export interface BodyFormat {
  /** Accepted media types in lower case, without parameters. Others are refused. */
  readonly mediaTypes: readonly string[];
  /** Adds the parser to the scope of a route group or operation. The parser throws DomainError `invalid_request`. */
  install(scope: Server): Promise<void>;
}

/** A body format of UTF-8 text. */
interface Utf8Format {
  readonly mediaTypes: readonly string[];
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  /**
   * Parses a non-empty body.
   * @throws DomainError `invalid_request` if it does not have the format of its media type
   */
  parse(text: string): unknown;
}

/**
 * Creates a body format of UTF-8 text. If the operation requires a body, an empty one is refused; if it does not, the
 * body is neither decoded nor parsed.
 */
export function utf8Body({ mediaTypes, maxBytes, parse }: Utf8Format): BodyFormat {
  return {
    mediaTypes,
    install: async (scope: Server) => {
      const options = { parseAs: 'buffer', bodyLimit: maxBytes } as const;
      scope.addContentTypeParser<Buffer>([...mediaTypes], options, (request, bytes, done) => {
        if (!isBodyWanted(request)) done(null, undefined);
        else if (bytes.length > 0) done(null, parse(utf8Text(bytes)));
        else done(new DomainError('invalid_request', 'The body is empty'), undefined);
      });
    },
  };
}

function isBodyWanted(request: Request): boolean {
  return request.routeOptions.schema?.body !== undefined;
}

/**
 * Decodes a body as UTF-8 without replacement characters, so that two different bodies never become equal.
 * @throws DomainError `invalid_request` if the bytes are not UTF-8
 */
function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new DomainError('invalid_request', 'The body is not valid UTF-8');
  return bytes.toString('utf8');
}

/**
 * Creates a matcher for `Content-Type` values of the given media types: the type in any case, optionally followed by
 * the single parameter `charset=utf-8`, and by semicolons without a parameter (RFC 9110 section 5.6.6). It rejects
 * everything that another parser could read as a different type or character set.
 */
export function contentTypeMatcher(mediaTypes: readonly string[]): (header: string | undefined) => boolean {
  const exact = new Set(mediaTypes);
  return (header) => header !== undefined && (exact.has(header) || exact.has(withoutUtf8(header)));
}

/** `; charset=utf-8` with optional spaces and quotes, as RFC 9110 section 8.3.1 shows equivalent spellings. */
const UTF8_PARAMETER =
  /^([!-:<-~]{3,100})(?: {0,4}; {0,4}charset=(?:utf-8|"utf-8"))?(?: {0,4};){0,4} {0,4}$/i;

function withoutUtf8(header: string): string {
  return UTF8_PARAMETER.exec(header)?.[1]?.toLowerCase() ?? '';
}

/** Whether a body has a `Content-Encoding`. It must be refused, because a proxy that decodes it would see a different body. */
export function isEncoded({ 'content-encoding': coding }: IncomingHttpHeaders): boolean {
  return coding !== undefined && coding !== 'identity';
}
