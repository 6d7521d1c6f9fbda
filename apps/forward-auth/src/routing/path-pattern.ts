import { parseRequestPath, type RequestPath } from './request-path.js';

/** The paths of a route: one path, or a path with everything below it. */
export interface PathPattern {
  /** With decoded escapes; of `/a/*` it is `/a`. */
  readonly path: string;
  /** As {@link RequestPath.folded}. */
  readonly folded: string;
  readonly hasDescendants: boolean;
}

const DESCENDANTS = '/*';

/**
 * Parses `/a` or `/a/*`.
 * @returns `undefined` if the path could be read differently, or has an asterisk elsewhere
 */
export function parsePathPattern(text: string): PathPattern | undefined {
  const hasDescendants = text.endsWith(DESCENDANTS);
  const written = hasDescendants ? text.slice(0, -DESCENDANTS.length) : text;
  if (written.includes('*') || written.includes('?')) return undefined;
  if (hasDescendants && written === '') return { path: '', folded: '', hasDescendants };
  const parsed = parseRequestPath(written);
  if (parsed === undefined || (hasDescendants && written.endsWith('/'))) return undefined;
  return { path: parsed.text, folded: parsed.folded, hasDescendants };
}

/** Whether a pattern has this path: exactly, or as a server reads it that ignores case and a slash at the end. */
export function hasPath(pattern: PathPattern, path: RequestPath, reading: 'exact' | 'folded'): boolean {
  return reading === 'exact'
    ? isWithin(pattern.path, path.text, pattern.hasDescendants)
    : isWithin(pattern.folded, path.folded, pattern.hasDescendants);
}

/** Whether each path of `other` is one of `pattern` too, or differs from one in case or in a slash at the end only. */
export function coversPattern(pattern: PathPattern, other: PathPattern): boolean {
  if (!pattern.hasDescendants && other.hasDescendants) return false;
  return isWithin(pattern.folded, other.folded, pattern.hasDescendants);
}

function isWithin(base: string, path: string, hasDescendants: boolean): boolean {
  if (path === base) return true;
  return hasDescendants && path.startsWith(base) && path[base.length] === '/';
}
