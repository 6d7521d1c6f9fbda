/** A path segment that no identifier has: U+FFFD is outside every grammar used here. */
const NO_IDENTIFIER = '%EF%BF%BD';

/**
 * The request target with every path segment that cannot be decoded replaced by one that no resource has, so that the
 * ordinary route decides with its ordinary credentials instead of the router answering by itself. Anything else,
 * the query included, is returned as it came.
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
