import { isPlainPath } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import type { LibraryConfiguration } from './library-configuration.js';

/** The routes of the library, without those that are off or replaced. Below some of them are further ones. */
const ROUTES = {
  authorization: '/auth',
  backchannel_authentication: '/backchannel',
  challenge: '/challenge',
  code_verification: '/device',
  credential: '/credential',
  device_authorization: '/device/auth',
  jwks: '/jwks',
  pushed_authorization_request: '/request',
  token: '/token',
  revocation: '/token/revocation',
  userinfo: '/me',
};
const WITH_PATHS_BELOW = ['authorization', 'code_verification', 'registration service'];

/** Why the logout page cannot be at a path: no router reads it in two ways, and nothing else is there. */
export function logoutPathProblems(logoutPath: unknown, { routes }: LibraryConfiguration): readonly string[] {
  if (!isPlainPath(logoutPath))
    return [
      'logoutPath: must be a path of letters, digits, -, _, . and / that begins with a slash and does not end with one. Set it to LOGOUT_PATH of the services.',
    ];
  const own = Object.entries(ROUTES).map(([name, route]) => {
    const changed: unknown = routes && Reflect.get(routes, name);
    return [name, typeof changed === 'string' ? changed : route] as const;
  });
  const taken = [
    ...own,
    ['registration service', ENDPOINT_PATH.registration] as const,
    ['introspection service', ENDPOINT_PATH.introspection] as const,
  ];
  const collision = taken.find(
    ([name, path]) =>
      path === logoutPath ||
      path.startsWith(`${logoutPath}/`) ||
      (WITH_PATHS_BELOW.includes(name) && logoutPath.startsWith(`${path}/`)),
  );
  return collision === undefined
    ? []
    : [
        `logoutPath: must not be ${logoutPath}, because it is an address of the ${nameOf(collision[0])}. Choose another one, here and in LOGOUT_PATH of the services.`,
      ];
}

function nameOf(name: string): string {
  return name in ROUTES ? `provider itself (routes.${name})` : name;
}
