const SINGLE = new Set(['host', 'authorization', 'content-type']);

/**
 * Whether a header that decides who asks, whom and in which form came more than once. Node keeps the first of them,
 * a proxy may have looked at the last (RFC 9112 section 3.2 demands a 400 for `Host`).
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders`
 */
export function hasRepeatedHeader(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const bit = bitOf(rawHeaders[index] ?? '');
    if ((seen & bit) !== 0) return true;
    seen |= bit;
  }
  return false;
}

/** One bit per header of interest, 0 for the others; lengths first, since this runs on every request. */
function bitOf(name: string): number {
  if (name.length !== 4 && name.length !== 12 && name.length !== 13) return 0;
  const lower = name.toLowerCase();
  return SINGLE.has(lower) ? 1 << (name.length - 4) : 0;
}
