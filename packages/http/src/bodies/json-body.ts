import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import {
  DEFAULT_JSON_LIMITS,
  JsonError,
  type JsonLimits,
  type JsonValue,
  MAX_BODY_BYTES,
  parseJson,
  parseJsonMembers,
} from '@vestibule/protocol/json';
import { type BodyFormat, utf8Body } from './body-format.js';

/** Limits of a JSON body. Defaults: {@link DEFAULT_JSON_LIMITS}. */
export interface JsonBodyOptions extends Partial<JsonLimits> {
  /** Maximum body size in bytes. Default {@link MAX_BODY_BYTES}. */
  readonly maxBytes?: number;
  /** A JSON-based media type. Default `application/json`. */
  readonly mediaType?: string;
  /** Which members to read; others are ignored whatever their value. Default: all. */
  readonly isRead?: (name: string) => boolean;
}

/**
 * Body format `application/json`, or another JSON media type: UTF-8, parsed with `parseJson`. The value may have any
 * type; the schema of the route decides.
 */
export function jsonBody(options: JsonBodyOptions = {}): BodyFormat {
  const { maxBytes = MAX_BODY_BYTES, mediaType = MEDIA_TYPE.json, isRead, ...given } = options;
  const limits: JsonLimits = { ...DEFAULT_JSON_LIMITS, ...given };
  return utf8Body({
    mediaTypes: [mediaType],
    maxBytes,
    parse: (text) => parseBody(text, limits, isRead),
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
