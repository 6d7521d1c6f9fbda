import type { Digester } from '@vestibule/crypto/data-keys';
import type { LogoutSessions } from '@vestibule/logout';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { BrowserSessions } from './browser-sessions.js';

/** The session cookie, as the authorization server sets it. */
export interface SessionCookie {
  readonly name: string;
  readonly path: string;
  /** Absent for a cookie for one host. */
  readonly domain?: string;
  readonly isSecure: boolean;
  /** `strict` is not possible: browsers would omit the cookie when a client sends an end-user here. */
  readonly sameSite: 'lax' | 'none';
}

/** Dependencies of {@link cookieSessions}. */
export interface SessionCookieDeps {
  readonly clock: Clock;
  readonly digester: Pick<Digester, 'find'>;
  readonly sessions: Pick<LogoutSessions, 'findByCookie'>;
  readonly cookie: SessionCookie;
}

/** Browsers send several cookies of one name if paths or domains differ. Each lookup costs a digest. */
const MAX_COOKIES = 5;
const MAX_VALUE_LENGTH = 256;

/** Finds sessions by the cookie of the authorization server, under its digest. */
export function cookieSessions({ clock, digester, sessions, cookie }: SessionCookieDeps): BrowserSessions {
  const forgotten = expiredCookie(cookie);
  return {
    find: async ({ headers }) => {
      const values = cookieValues(headers.cookie, cookie.name);
      if (values.length === 0) return undefined;
      return digester.find((digests) =>
        sessions.findByCookie(
          values.flatMap((value) => digests('session-cookie', value)),
          nowSeconds(clock),
        ),
      );
    },
    forget: ({ headers }, reply) => {
      if (cookieValues(headers.cookie, cookie.name).length > 0) reply.header('set-cookie', forgotten);
    },
  };
}

/** The values of a cookie in a `Cookie` header (RFC 6265 section 5.4). */
export function cookieValues(header: string | undefined, name: string): readonly string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH)
    .slice(0, MAX_COOKIES);
}

/** The same cookie, empty and expired. The attributes must be the same, or browsers keep the cookie. */
function expiredCookie({ name, path, domain, isSecure, sameSite }: SessionCookie): string {
  return [
    `${name}=`,
    `Path=${path}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    'Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    `SameSite=${SAME_SITE[sameSite]}`,
  ].join('; ');
}

const SAME_SITE = { lax: 'Lax', none: 'None' } as const;
