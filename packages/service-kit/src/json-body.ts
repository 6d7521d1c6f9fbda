import {
  DEFAULT_JSON_LIMITS,
  DomainError,
  JsonError,
  type JsonLimits,
  type JsonValue,
  MAX_BODY_BYTES,
  MEDIA_TYPE,
  parseJson,
  parseJsonMembers,
} from '@vestibule/protocol';
import type { BodyFormat } from './body-format.js';
import { bodyText } from './body-text.js';
import { bytesBody } from './bytes-body.js';

/** Limits of a JSON body; what is left out has the value of {@link DEFAULT_JSON_LIMITS}. */
export interface JsonBodyOptions extends Partial<JsonLimits> {
  /** The largest body, in bytes. Default {@link MAX_BODY_BYTES}. */
  readonly maxBytes?: number;
  /** A media type that is JSON with a meaning of its own. Default `application/json`. */
  readonly mediaType?: string;
  /** Which members of the object count; others are left out whatever they hold. Default all of them. */
  readonly isRead?: (name: string) => boolean;
}

/**
 * `application/json`, or another JSON media type: UTF-8, and safe as `parseJson` makes it. The value itself may be of
 * any kind; the schema of the route says which.
 */
export function jsonBody(options: JsonBodyOptions = {}): BodyFormat {
  const { maxBytes = MAX_BODY_BYTES, mediaType = MEDIA_TYPE.json, isRead, ...given } = options;
  const limits: JsonLimits = { ...DEFAULT_JSON_LIMITS, ...given };
  return bytesBody({
    mediaTypes: [mediaType],
    maxBytes,
    parse: (bytes) => parseBody(bodyText(bytes), limits, isRead),
  });
}

function parseBody(text: string, limits: JsonLimits, isRead: JsonBodyOptions['isRead']): JsonValue {
  try {
    return isRead === undefined ? parseJson(text, limits) : parseJsonMembers(text, { isRead, limits });
  } catch (error) {
    if (error instanceof JsonError) throw new DomainError('invalid_request', error.message);
    throw error;
  }
}
