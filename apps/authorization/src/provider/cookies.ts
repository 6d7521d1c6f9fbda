import { constantTimeEquals, type Digester, requireEveryKey } from '@vestibule/crypto';
import type { Issuer } from '@vestibule/protocol';

/** The names of the library's cookies. */
export interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
}

/**
 * The names of the cookies: where the server is on https, browsers take those of a session from this host alone, and
 * all of them over https alone (RFC 6265bis section 4.1.3). Those of an interaction belong to one path, which the
 * stronger prefix forbids.
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

/** What the library signs cookies with. */
export interface CookieKeys {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** 0 for a signature of ours, -1 for any other. */
  index(data: string, signature: string): number;
}

/**
 * Signs with the keys for digests: the same on every instance, and rotated without signing anyone out. A signature
 * under an earlier key, or under one that is about to be used, is as good as any: another response would make the
 * library sign anew, in a cookie that is for every path. While a key for digests cannot be opened, nobody can tell that
 * a signature is none of ours, and verifying it throws `KeyEncryptionError`: the library would take the cookie away.
 */
export function cookieKeys(digester: Digester): CookieKeys {
  const verify = (data: string, signature: string): boolean => {
    const given = Buffer.from(signature, 'base64url');
    const isOurs = digester
      .candidates('cookie', data)
      .some((expected) => constantTimeEquals(expected, given));
    requireEveryKey(isOurs || digester.hasEveryKey());
    return isOurs;
  };
  return {
    sign: (data) => Buffer.from(digester.digest('cookie', data)).toString('base64url'),
    verify,
    index: (data, signature) => (verify(data, signature) ? 0 : -1),
  };
}
