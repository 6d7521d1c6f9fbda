import { DomainError } from '@vestibule/protocol';
import { MAX_BODY_BYTES } from '@vestibule/protocol/json';
import { type BodyFormat, utf8Body } from './body-format.js';
import { isCleanText } from './clean-text.js';

/** Options of {@link textBody}. */
export interface TextBodyOptions {
  /** Media types without parameters, in lower case. */
  readonly mediaTypes: readonly string[];
  /** Maximum body size in bytes. Default {@link MAX_BODY_BYTES}. */
  readonly maxBytes?: number;
}

/** Body format of a single string, such as a JWS in compact serialization: UTF-8 without control characters. */
export function textBody({ mediaTypes, maxBytes = MAX_BODY_BYTES }: TextBodyOptions): BodyFormat {
  return utf8Body({
    mediaTypes,
    maxBytes,
    parse: (text) => {
      if (!isCleanText(text))
        throw new DomainError('invalid_request', 'The body contains a control character');
      return text;
    },
  });
}
