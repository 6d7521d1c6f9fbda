import type { SessionCookieSettings } from '@vestibule/database/agreed-settings';
import type { LibraryConfiguration } from './library-configuration.js';

/** The default of the library. */
const DEFAULT_NAME = '_session';

/** The session cookie as the library will set it. */
export function sessionCookieOf({ cookies = {} }: LibraryConfiguration): SessionCookieSettings {
  const { names, long } = cookies;
  const { path, domain, sameSite = 'lax' } = long ?? {};
  return {
    name: typeof names?.session === 'string' ? names.session : DEFAULT_NAME,
    path: typeof path === 'string' ? path : '/',
    ...(typeof domain === 'string' && { domain }),
    sameSite: String(sameSite).toLowerCase() === 'none' ? 'none' : 'lax',
  };
}
