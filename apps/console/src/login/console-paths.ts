/** The paths of the login, the logout and what the OpenID provider calls. */
export const LOGIN_PATH = {
  login: '/login',
  /** The redirect URI. */
  callback: '/login/callback',
  logout: '/logout',
  /** The post-logout redirect URI. */
  loggedOut: '/logged-out',
  /** The back-channel logout URI. */
  backchannelLogout: '/backchannel-logout',
} as const;

/** The path stands in the cookie of the attempt, of which a browser may have several. */
const MAX_LENGTH = 500;
/** Printable ASCII without the backslash, which browsers take for a slash; not `//`, which begins a host. */
const LOCAL = /^\/(?!\/)[!-[\]-~]*$/;
const OWN: readonly string[] = Object.values(LOGIN_PATH);

/**
 * The page of the console to which a login leads: the given path and query, or the overview for anything that is not a
 * path of the console beside login and logout. The result never leads to another origin.
 */
export function pageAfterLogin(to: string | undefined): string {
  if (to === undefined || to.length > MAX_LENGTH || !LOCAL.test(to)) return '/';
  const here = 'https://console.invalid';
  if (!URL.canParse(to, here)) return '/';
  const { origin, pathname, search } = new URL(to, here);
  // Dot segments may leave a path that begins with two slashes.
  return origin !== here || pathname.startsWith('//') || OWN.includes(pathname) ? '/' : pathname + search;
}

/** The address of the login that leads to a page. */
export function loginAddress(to: string): string {
  return to === '/' ? LOGIN_PATH.login : `${LOGIN_PATH.login}?${new URLSearchParams({ to })}`;
}
