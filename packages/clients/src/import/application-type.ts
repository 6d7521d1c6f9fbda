const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i;
const WEB_SCHEME = /^https?:/i;

/**
 * Infers the application type of redirect URIs, for exports that do not have it: native if every one leads back to a
 * program on the user's own device (RFC 8252 section 7). `undefined` if unknown, so that the default applies.
 */
export function applicationTypeOf(redirectUris: readonly string[]): 'native' | undefined {
  const isNative = redirectUris.every((uri) => LOOPBACK.test(uri) || !WEB_SCHEME.test(uri));
  return isNative && redirectUris.length > 0 ? 'native' : undefined;
}
