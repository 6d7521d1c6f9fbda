import formbody from '@fastify/formbody';
import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { BodyFormat } from './body-format.js';
import { parseUrlEncoded, type UrlEncodedFields, withoutEmptyValues } from './url-encoded.js';

/** Limits of a form body. */
export interface FormBodyOptions {
  /** Maximum body size in bytes. Default 16,384. */
  readonly maxBytes?: number;
  /** Maximum number of parameters. Default 20. */
  readonly maxParameters?: number;
}

/** A form body is ASCII; other characters are percent-encoded (WHATWG URL section 5.2). */
const BEYOND_ASCII = /\P{ASCII}/u;

/** Body format of forms, which the fast path of a route parses by the same rules. */
export interface FormBody extends BodyFormat {
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  /** Parses a body. Returns `undefined` if it is refused. */
  parse(text: string): UrlEncodedFields | undefined;
}

/**
 * Body format `application/x-www-form-urlencoded`: ASCII before and UTF-8 after percent-decoding, every parameter at
 * most once, string values, no NUL. A parameter without a value counts as omitted (RFC 6749 section 3.2). Other control
 * characters are accepted, because a token may be any text and is then simply unknown.
 */
export function formBody({ maxBytes = 16_384, maxParameters = 20 }: FormBodyOptions = {}): FormBody {
  const parse = (text: string): UrlEncodedFields | undefined => {
    const fields = BEYOND_ASCII.test(text) ? undefined : parseUrlEncoded(text, maxParameters);
    return fields && withoutEmptyValues(fields);
  };
  return {
    mediaTypes: [MEDIA_TYPE.form],
    maxBytes,
    parse,
    install: async (scope) => {
      await scope.register(formbody, { bodyLimit: maxBytes, parser: (text) => parse(text) ?? refuse() });
    },
  };
}

function refuse(): never {
  throw new DomainError(
    'invalid_request',
    'The form is malformed, repeats a parameter or has too many parameters',
  );
}
