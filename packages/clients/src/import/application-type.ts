const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i;
const WEB_SCHEME = /^https?:/i;

/**
 * What kind of application has these redirect URIs, for servers that do not say: native when every one leads back into
 * a program on the user's own machine (RFC 8252 section 7). `undefined` where nothing is known: the default holds then.
 */
export function applicationTypeOf(redirectUris: readonly string[]): 'native' | undefined {
  const isNative = redirectUris.every((uri) => LOOPBACK.test(uri) || !WEB_SCHEME.test(uri));
  return isNative && redirectUris.length > 0 ? 'native' : undefined;
}
