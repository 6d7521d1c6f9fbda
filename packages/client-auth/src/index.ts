export { type AuthenticatedClient, authenticateClient } from './authenticate-client.js';
export { type AuthorizationScheme, authorizationScheme } from './authorization-scheme.js';
export { authorizeByBearer, type BearerAuthorizationDeps } from './authorize-by-bearer.js';
export type { BearerAccess, BearerAccessReader } from './bearer-access.js';
export type { ClientAuthDeps } from './client-auth-deps.js';
export type { CredentialParameters, CredentialRequest } from './credential-request.js';
export {
  type IntrospectionCallerDeps,
  identifyIntrospectionCaller,
} from './identify-introspection-caller.js';
export { grantIntrospection, type IntrospectionCaller } from './introspection-caller.js';
