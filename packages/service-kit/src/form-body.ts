import { DomainError, MEDIA_TYPE } from '@vestibule/protocol';
import type { BodyFormat } from './body-format.js';
import { bodyText } from './body-text.js';
import { parseUrlEncoded } from './url-encoded.js';

/** Limits of a form body. */
export interface FormBodyOptions {
  /** The largest body, in bytes. Default 16,384. */
  readonly maxBytes?: number;
  /** The largest number of parameters. Default 20. */
  readonly maxParameters?: number;
}

/**
 * `application/x-www-form-urlencoded`: UTF-8 before and after percent-decoding, every parameter once, every value a
 * string, no NUL. Other control characters stay, since a token may be any text and is then simply unknown.
 */
export function formBody({ maxBytes = 16_384, maxParameters = 20 }: FormBodyOptions = {}): BodyFormat {
  return {
    mediaTypes: [MEDIA_TYPE.form],
    maxBytes,
    parse: (bytes) => {
      const fields = parseUrlEncoded(bodyText(bytes), maxParameters);
      if (fields === undefined) {
        throw new DomainError(
          'invalid_request',
          'The form is malformed, repeats a parameter or has too many',
        );
      }
      return fields;
    },
  };
}
