import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import type { Issuer } from '@vestibule/protocol';

/** The names of the library's cookies. */
export interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
}

/**
 * The names of the cookies. If the server uses https, browsers accept session cookies from this host only, and all
 * cookies over https only (RFC 6265bis section 4.1.3). Interaction cookies belong to one path, which the stronger
 * prefix forbids.
 */
export function cookieNames(issuer: Issuer): CookieNames {
  const isSecure = issuer.startsWith('https:');
  const name = (prefix: string, rest: string) => (isSecure ? prefix : '') + rest;
  return {
    session: name('__Host-', 'vestibule_session'),
    interaction: name('__Secure-', 'vestibule_interaction'),
    resume: name('__Secure-', 'vestibule_resume'),
  };
}

/** The keys with which the library signs cookies. */
export interface CookieKeys {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** 0 for a valid signature, -1 for any other. */
  index(data: string, signature: string): number;
}

/**
 * Signs with the digest keys, which are the same on every instance, and rotate without logging anyone out. A signature
 * under a previous key, or under one that is about to be used, is as good as any: another result would make the library
 * sign anew, in a cookie for every path. While a digest key cannot be decrypted, a signature cannot be rejected for
 * sure, and verifying it throws `KeyEncryptionError`: the library would otherwise delete the cookie.
 */
export function cookieKeys(digester: Digester): CookieKeys {
  const verify = (data: string, signature: string): boolean => {
    const given: Uint8Array = Buffer.from(signature, 'base64url');
    return digester.matches('cookie', data, given as Digest);
  };
  return {
    sign: (data) => Buffer.from(digester.digest('cookie', data)).toString('base64url'),
    verify,
    index: (data, signature) => (verify(data, signature) ? 0 : -1),
  };
}
