/** Characters of a request target that starts with a path (RFC 9112 section 3.2.1). */
const PATH = /^\/[\x21-\x7e]*$/;

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/**
 * The URL that the client called, without query and fragment; `undefined` if the target of the request is not a path.
 * Scheme, host and leading path come from the configuration: the `Host` header is what the client wrote.
 * @param baseUrl URL that precedes the path, without a slash at the end
 */
export function requestAddress(baseUrl: string, target: string): string | undefined {
  const path = target.replace(ABSOLUTE, '');
  const [withoutQuery = ''] = (path === '' ? '/' : path).split(/[?#]/, 1);
  return PATH.test(withoutQuery) ? baseUrl + withoutQuery : undefined;
}
