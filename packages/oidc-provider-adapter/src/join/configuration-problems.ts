import { isEnabled, type LibraryConfiguration } from './library-configuration.js';

/** Where the endpoints are that replace those of the library. */
export interface ReplacingEndpoints {
  readonly registration: string;
  readonly introspection: string;
  readonly logout: string;
}

/**
 * What a joined provider cannot have in its configuration: one sentence each, which begins with the member and ends
 * with the remedy. Quotes no value.
 */
export function configurationProblems(
  configuration: LibraryConfiguration,
  endpoints: ReplacingEndpoints,
): readonly string[] {
  return [
    ...ownedMembers(configuration),
    ...conflictingFeatures(configuration, endpoints),
    ...cookieProblems(configuration, endpoints.logout),
  ];
}

/** Members that `joinProvider` sets itself. */
function ownedMembers({ adapter, jwks, clients }: LibraryConfiguration): readonly string[] {
  const problems: string[] = [];
  if (adapter !== undefined)
    problems.push('adapter: must not be set, because everything is kept in the shared store. Remove it.');
  if (jwks !== undefined)
    problems.push(
      'jwks: must not be set, because the other services verify only signatures of the shared key ring. Remove it; `vestibule keys list` shows the keys that are used instead.',
    );
  if (clients !== undefined && !(Array.isArray(clients) && clients.length === 0))
    problems.push(
      'clients: must not be set, because the other services know only registered clients. Run `vestibule clients import FILE --from oidc-provider` and remove it.',
    );
  return problems;
}

function conflictingFeatures(
  { features = {} }: LibraryConfiguration,
  { registration, introspection, logout }: ReplacingEndpoints,
): readonly string[] {
  const replaced = [
    ['rpInitiatedLogout', `sessions end at ${logout}, and two servers must not both end them`],
    ['introspection', `tokens are introspected at ${introspection}`],
    ['jwtIntrospection', `tokens are introspected at ${introspection}`],
    ['registration', `clients register at ${registration}`],
    ['registrationManagement', `clients register at ${registration}`],
    ['clientIdMetadataDocument', `only clients that are registered at ${registration} get tokens`],
  ] as const;
  const conflicts = replaced.filter(([name]) => isEnabled(features[name], false));
  const isSidOff = !isEnabled(features['backchannelLogout'], true);
  return [
    ...conflicts.map(([name, why]) => `features.${name}: must not be enabled, because ${why}. Remove it.`),
    ...(isSidOff
      ? [
          'features.backchannelLogout: must be enabled, because it puts `sid` into ID tokens; the logout service sends the notifications. Remove it.',
        ]
      : []),
  ];
}

/** The logout page finds the session by the cookie, so browsers must send it there. */
function cookieProblems({ cookies }: LibraryConfiguration, logout: string): readonly string[] {
  const { path, sameSite } = cookies?.long ?? {};
  const { pathname } = new URL(logout);
  const problems: string[] = [];
  if (typeof path === 'string' && !covers(path, pathname))
    problems.push(
      `cookies.long.path: must cover ${pathname}, because browsers send the session cookie to the logout page only then. Remove it, or set it to "/".`,
    );
  if (sameSite === true || String(sameSite).toLowerCase() === 'strict')
    problems.push(
      'cookies.long.sameSite: must not be strict, because browsers would omit the session cookie when an application sends an end-user to the logout page. Set it to "lax".',
    );
  return problems;
}

/** RFC 6265 section 5.1.4. */
function covers(cookiePath: string, path: string): boolean {
  const folder = cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`;
  return path === cookiePath || path.startsWith(folder);
}
