export {
  type AuthenticatedClient,
  authenticateAndGrant,
  authenticateClient,
  type ClientGrant,
  type GrantedClient,
} from './authenticate-client.js';
export {
  type AuthenticationCache,
  type AuthenticationCacheOptions,
  authenticationCache,
} from './authentication-cache.js';
export { schemeCredentials } from './authorization-scheme.js';
export {
  authorizeByBearer,
  type BearerAuthorizationDeps,
  type BearerRequest,
} from './authorize-by-bearer.js';
export type { BearerAccess, BearerAccessReader } from './bearer-access.js';
export { whyAssertionMalformed } from './client-assertion.js';
export type { ClientAssertionDeps } from './client-assertion-deps.js';
export type { ClientAuthDeps } from './client-auth-deps.js';
export {
  type AlternativeName,
  type ClientCertificate,
  type HandshakeResult,
  parseClientCertificate,
} from './client-certificate.js';
export { whyCertificateRefused } from './client-certificate-proof.js';
export {
  type ClientEncryptionDeps,
  clientEncryption,
  type RegisteredEncryption,
} from './client-encryption.js';
export type { ClientReader, ClientReading } from './client-reading.js';
export { type ClientRefusal, REFUSAL_REASONS, type RefusalReason } from './client-refusal.js';
export type { ClientValidity, ClientWatch } from './client-watch.js';
export {
  type CredentialParameters,
  type CredentialRequest,
  carriesCredential,
} from './credential-request.js';
export type { DistinguishedName } from './distinguished-name.js';
export { type AssertionAudience, endpointAudiences } from './endpoint-audiences.js';
export { type HashVerifier, hashVerifier } from './imported-secrets/hash-verifier.js';
export {
  type ImportedSecrets,
  type ImportedSecretsDeps,
  importedSecrets,
} from './imported-secrets/imported-secrets.js';
export { grantIntrospection, type IntrospectionCaller } from './introspection-caller.js';
export { type ChallengeScheme, InvalidClientError } from './invalid-client-error.js';
export { hasRegisteredSubject } from './methods/tls-client-auth.js';
export { type PresentedSecret, presentedSecret } from './presented-secret.js';
export { type EarlierSecretProofDeps, previousSecret } from './previous-secret.js';
export { rememberedClients } from './remembered-clients.js';
export { layeredReplayStore, type ReplayOutcome, type ReplayStore } from './replay-store.js';
export {
  type AssertionUseDeps,
  type NamedAssertion,
  type SignedAssertion,
  whyAssertionUnfit,
  whySignedAssertionRefused,
} from './why-assertion-refused.js';
