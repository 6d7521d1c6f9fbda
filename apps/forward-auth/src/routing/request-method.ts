/** A method in capital letters. Methods are case-sensitive, which not every server respects (RFC 9110 section 9.1). */
export const METHOD = /^[A-Z]{1,20}(?:-[A-Z]{1,20})*$/;

/** The methods of a route. Servers respond to `HEAD` as to `GET`, without the body (RFC 9110 section 9.3.2). */
export function methodSet(methods: readonly string[]): ReadonlySet<string> {
  return new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods);
}
