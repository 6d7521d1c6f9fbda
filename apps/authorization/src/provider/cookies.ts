import { constantTimeEquals, type Digester } from '@vestibule/crypto';
import type { Issuer } from '@vestibule/protocol';

/** The names of the library's cookies. */
export interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
}

/**
 * The names of the cookies: where the server is on https, browsers take those of a session from this host alone, and all
 * of them over https alone (RFC 6265bis section 4.1.3). Those of an interaction belong to one path, which the stronger
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

/** What the library signs cookies with. */
export interface CookieKeys {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** Which key signed, 0 for the present one; -1 for none. */
  index(data: string, signature: string): number;
}

/** Signs with the keys for digests: the same on every instance, and rotated without signing anybody out. */
export function cookieKeys(digester: Digester): CookieKeys {
  const index = (data: string, signature: string): number => {
    const given = Buffer.from(signature, 'base64url');
    const matches = digester.candidates('cookie', data).map((key) => constantTimeEquals(key, given));
    return matches.indexOf(true);
  };
  return {
    sign: (data) => Buffer.from(digester.digest('cookie', data)).toString('base64url'),
    verify: (data, signature) => index(data, signature) >= 0,
    index,
  };
}
