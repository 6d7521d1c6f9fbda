export { type AuthenticatedClient, authenticateClient } from './authenticate-client.js';
export {
  authorizeByBearer,
  type BearerAuthorizationDeps,
  type BearerRequest,
} from './authorize-by-bearer.js';
export type { BearerAccess, BearerAccessReader } from './bearer-access.js';
export type { ClientAuthDeps } from './client-auth-deps.js';
export type { CredentialParameters, CredentialRequest } from './credential-request.js';
export { grantIntrospection, type IntrospectionCaller } from './introspection-caller.js';
export { type ChallengeScheme, InvalidClientError } from './invalid-client-error.js';
export { layeredReplayStore, type ReplayOutcome, type ReplayStore } from './replay-store.js';
