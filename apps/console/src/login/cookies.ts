import type { Request } from '@vestibule/http';

/** Cookies of this host alone, unreadable for scripts (RFC 6265bis section 4.1.3). */
export interface CookieStyle {
  /** The name with the prefix that browsers check. */
  readonly name: (name: string) => string;
  /** The attributes. `SameSite=Lax`: other sites can only lead here. */
  readonly attributes: string;
}

/** @param isSecure whether browsers reach the console by https */
export function cookieStyle(isSecure: boolean): CookieStyle {
  return {
    name: (name) => (isSecure ? `__Host-${name}` : name),
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}

/** The cookies of a request, in their order. Of several with one name the first counts. */
export function cookiesOf({ headers }: Pick<Request, 'headers'>): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((text): readonly [string, string] => {
    const [name = '', ...value] = text.trim().split('=');
    return [name, value.join('=')];
  });
  return new Map(pairs.toReversed().filter(([name]) => name !== ''));
}
