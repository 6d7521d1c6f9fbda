/** A path segment that no identifier can have: U+FFFD is outside every identifier grammar used here. */
const NO_IDENTIFIER = '%EF%BF%BD';

/**
 * Replaces every path segment that cannot be decoded with one that no resource has. The normal route then checks
 * credentials as usual, instead of the router responding by itself. Everything else, including the query, is unchanged.
 */
export function replaceUndecodableSegments(url: string): string {
  if (!url.includes('%')) return url;
  const pathEnd = endOfPath(url);
  const path = url.slice(0, pathEnd);
  if (isDecodable(path)) return url;
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : NO_IDENTIFIER));
  return segments.join('/') + url.slice(pathEnd);
}

function endOfPath(url: string): number {
  const end = url.search(/[?#]/);
  return end === -1 ? url.length : end;
}

function isDecodable(text: string): boolean {
  try {
    return typeof decodeURIComponent(text) === 'string';
  } catch {
    return false;
  }
}
