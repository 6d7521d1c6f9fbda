export {
  type AuthenticatedClient,
  authenticateAndGrant,
  authenticateClient,
  type ClientGrant,
  type GrantedClient,
} from './authenticate-client.js';
export { schemeCredentials } from './bearer/authorization-scheme.js';
export {
  authorizeByBearer,
  type BearerAuthorizationDeps,
  type BearerRequest,
  type ProvenOperation,
} from './bearer/authorize-by-bearer.js';
export type { BearerAccess, BearerAccessReader } from './bearer/bearer-access.js';
export type { ClientAuthDeps } from './client-auth-deps.js';
export {
  type ClientEncryptionDeps,
  clientEncryption,
  type RegisteredEncryption,
} from './client-encryption.js';
export { type ClientRefusal, REFUSAL_REASONS, type RefusalReason } from './client-refusal.js';
export {
  type CredentialParameters,
  type CredentialRequest,
  carriesCredential,
} from './credential-request.js';
export { authenticateForwarded, type ForwardedCredential } from './forwarded-credential.js';
export {
  type ImportedSecrets,
  type ImportedSecretsDeps,
  importedSecrets,
} from './imported-secrets/imported-secrets.js';
export { grantIntrospection, type IntrospectionCaller } from './introspection-caller.js';
export { type ChallengeScheme, InvalidClientError } from './invalid-client-error.js';
export { hasRegisteredSubject } from './methods/tls-client-auth.js';
export { type PresentedSecret, presentedSecret } from './secrets/presented-secret.js';
export { type PreviousSecretProofDeps, previousSecret } from './secrets/previous-secret.js';
