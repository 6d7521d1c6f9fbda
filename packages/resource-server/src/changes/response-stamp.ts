import { type CacheTag, parseCacheTags } from './cache-tag.js';
import { parseStreamPosition, type StreamPosition } from './stream-position.js';

/** What the stream of changes must be asked about an introspection response. */
export interface ResponseStamp {
  /** Changes up to this position are reflected in the response. */
  readonly position: StreamPosition;
  /** Cache tags of everything that the response depends on. */
  readonly tags: readonly CacheTag[];
}

const MAX_TAGS = 64;

/**
 * Reads `Preference-Applied` (RFC 7240 section 3), `Cache-Tags` and `Stream-Position` of an introspection response;
 * `undefined` if one is absent or malformed. Such a response must not be cached.
 * @param header returns the value of a header, given in lower case
 */
export function readResponseStamp(header: (name: string) => string | undefined): ResponseStamp | undefined {
  const isApplied = listOf(header('preference-applied')).includes('cache-tags');
  const position = parseStreamPosition(header('stream-position') ?? '');
  const texts = listOf(header('cache-tags'));
  if (!isApplied || position === undefined || texts.length === 0 || texts.length > MAX_TAGS) return undefined;
  const tags = parseCacheTags(texts);
  return tags && { position, tags };
}

/**
 * Reads `Token-Cache-Control` (a targeted field, RFC 9213): how long a response may be used after its request was sent,
 * in seconds. `undefined` without the header; 0 if it says nothing that can be read.
 */
export function readTokenMaxAge(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = listOf(value).map((directive) => /^max-age=(\d{1,9})$/.exec(directive)?.[1]);
  const [only, ...others] = seconds.filter((each) => each !== undefined);
  return only === undefined || others.length > 0 ? 0 : Number(only);
}

function listOf(value = ''): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
