/** A path that every server reads in the same way. */
export interface RequestPath {
  /** With decoded escapes. */
  readonly text: string;
  /** As servers read it that ignore case and a slash at the end. */
  readonly folded: string;
}

/**
 * Visible ASCII characters. Without `#`, which servers read as the end of the path, `\`, which some read as a slash, and
 * `;`, which some read as the end of a segment.
 */
const PATH = /^\/[!"$-:<-[\]-~]*$/;

/**
 * Empty segments and dot segments, which some servers remove; escapes of `/`, `\`, `.`, `;`, `?`, `#` and `%`, which
 * servers decode before or after they split the path; escapes of control characters, and `%` without two digits.
 */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%(?:2[ef35]|3[bf]|5c|[01][\da-f]|7f|(?![\da-f]{2}))/i;

/** Text that cannot be decoded may arrive with this character in its place. */
const REPLACEMENT_CHARACTER = '\u{fffd}';

/**
 * Parses the path of a request target, without its query.
 * @returns `undefined` if gateway, router and upstream could read the path differently
 */
export function parseRequestPath(target: string): RequestPath | undefined {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (!PATH.test(path) || AMBIGUOUS.test(path)) return undefined;
  const text = path.includes('%') ? decoded(path) : path;
  return text === undefined ? undefined : { text, folded: foldPath(text) };
}

/** Ignores case and a slash at the end, as some servers do. */
export function foldPath(path: string): string {
  // Some letters have the capital of another one, such as ſ that of s, and the Kelvin sign is lower-cased to k.
  const folded = path.toUpperCase().toLowerCase();
  return folded.endsWith('/') ? folded.slice(0, -1) : folded;
}

function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path);
    return text.includes(REPLACEMENT_CHARACTER) ? undefined : text;
  } catch {
    return undefined;
  }
}
