const SINGLE = new Set(['host', 'authorization', 'content-type']);
const LENGTHS = (1 << 'host'.length) | (1 << 'content-type'.length) | (1 << 'authorization'.length);

/**
 * Whether a header that determines the sender, the host or the format of a request is repeated. Node uses the first
 * value, while a proxy may have used the last (RFC 9112 section 3.2 requires a 400 for `Host`).
 * @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders`
 */
export function hasRepeatedHeader(rawHeaders: readonly string[]): boolean {
  // Runs on every request, so names are compared only if two have the same length, which is rare.
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const length = rawHeaders[index]?.length ?? 0;
    const bit = length < 32 ? (1 << length) & LENGTHS : 0;
    if ((seen & bit) !== 0) return hasRepeatedName(rawHeaders);
    seen |= bit;
  }
  return false;
}

function hasRepeatedName(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const single = names.filter((name) => SINGLE.has(name));
  return new Set(single).size < single.length;
}
