import type { Issuer } from '../identifiers.js';

/** Paths of the endpoints, relative to the base URL. */
export const ENDPOINT_PATH = {
  registration: '/clients',
  authorization: '/authorize',
  pushedAuthorization: '/par',
  token: '/token',
  revocation: '/token/revoke',
  userinfo: '/userinfo',
  introspection: '/token/introspect',
  tokenChanges: '/token/changes',
  logout: '/logout',
  /** Where the logout page sends browsers that are to log out at another provider too. */
  upstreamLogout: '/upstream/logout',
  federationRegistration: '/federation/clients',
  federationExplanation: '/federation/explain',
  /** The page for browsers. */
  federationExplanationPage: '/federation/explain/page',
  /** OpenID Federation 1.0 section 8.7. */
  historicalKeys: '/federation/historical-keys',
  /** OpenID Federation 1.0 section 9. */
  entityConfiguration: '/.well-known/openid-federation',
  directAuthorization: '/direct-authz',
  jwks: '/jwks.json',
  /** The same keys, signed with a federation key. */
  signedJwks: '/jwks.jwt',
} as const;

/**
 * The URL of the introspection endpoint, which is also the scope value that grants its use
 * (introspection/API.md#callers).
 */
export function introspectionEndpoint(issuer: Issuer): string {
  return issuer + ENDPOINT_PATH.introspection;
}

/** The URL of the client registration endpoint. */
export function registrationEndpoint(issuer: Issuer): string {
  return issuer + ENDPOINT_PATH.registration;
}
