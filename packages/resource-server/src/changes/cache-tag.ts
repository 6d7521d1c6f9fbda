/**
 * The first 48 bits of a cache tag, as a number: 8 bytes in a list, where the text takes 40. Two tags with one number only
 * mean that a response is discarded in vain.
 */
export type CacheTag = number;

const TAG = /^[A-Za-z0-9_-]{22}$/;

/** Parses a tag: 22 characters of base64url; `undefined` unless it is one. */
export function parseCacheTag(text: unknown): CacheTag | undefined {
  if (typeof text !== 'string' || !TAG.test(text)) return undefined;
  return Buffer.from(text.slice(0, 8), 'base64url').readUIntBE(0, 6);
}

/** Parses a list of tags; `undefined` unless all of them are. The result is a list of the exact length, of numbers only. */
export function parseCacheTags(texts: readonly unknown[]): readonly CacheTag[] | undefined {
  const tags = texts.map((text) => parseCacheTag(text) ?? Number.NaN);
  return tags.some(Number.isNaN) ? undefined : tags;
}
