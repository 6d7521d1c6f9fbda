import type { Request } from '@vestibule/http';
import type { Issuer } from '@vestibule/protocol';

/** The cookie that names the login at the other provider in this browser. */
export interface UpstreamCookie {
  /** The header that sets it, for as long as the browser runs. */
  set(name: string): string;
  /** The header that deletes it. */
  readonly deletion: string;
  /** What a request carries. */
  read(request: Request): string | undefined;
}

const VALUE = /^[A-Za-z0-9]{43}$/;

/** A cookie for this host alone where the server uses https (RFC 6265bis section 4.1.3). */
export function upstreamCookie(issuer: Issuer): UpstreamCookie {
  const isSecure = issuer.startsWith('https:');
  const cookie = isSecure ? '__Host-vestibule_upstream' : 'vestibule_upstream';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    set: (name) => `${cookie}=${name}; ${attributes}`,
    deletion: `${cookie}=; Max-Age=0; ${attributes}`,
    read: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const values = pairs
        .filter((pair) => pair.startsWith(`${cookie}=`))
        .map((pair) => pair.slice(cookie.length + 1));
      return values.find((value) => VALUE.test(value));
    },
  };
}
