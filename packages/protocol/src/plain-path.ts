const PLAIN_PATH = /^(?:\/[\w-][\w.-]{0,63}){1,8}$/;

/**
 * Whether a value is a path that every router and proxy reads in the same way: no empty segment, no dot segment, no
 * escape and no trailing slash.
 */
export function isPlainPath(value: unknown): value is string {
  return typeof value === 'string' && PLAIN_PATH.test(value);
}
