export type { RegisterClientInput } from './accept-registration.js';
export {
  earlierSecretAssociatedData,
  registrationTokenAssociatedData,
  secretAssociatedData,
  secretHashAssociatedData,
} from './associated-data.js';
export { type AuditActor, type ClientAction, type OperatorActor, operatorActor } from './audit-actor.js';
export {
  authorizeManagement,
  isClientExpired,
  type ManagedClient,
  type ManagementRequest,
} from './authorize-management.js';
export { authorizeRegistration, type RegistrationCredential } from './authorize-registration.js';
export { type ChangeClientInput, changeClient } from './change-client.js';
export { checkInitialGrant } from './check-initial-grant.js';
export { checkRights, type RequestedRegistration } from './check-rights.js';
export type {
  Client,
  ClientOrigin,
  ClientRegistrar,
  ClientSecret,
  ClientSecretHash,
  ClientStatus,
  EarlierClientSecret,
  FederationMembership,
  RegistrationToken,
} from './client.js';
export {
  type ClientInformation,
  clientInformation,
  type RevealedCredentials,
  registrationClientUri,
  revealCredentials,
} from './client-information.js';
export type {
  ClientDeletion,
  ClientReplacement,
  ClientRepository,
  CreateOutcome,
  CreationTerms,
  TokenConsumption,
  UnusedClient,
  UnusedClientCap,
  UnusedClients,
} from './client-repository.js';
export { type ClientResponse, type EntityTagCondition, matchesEntityTag } from './client-response.js';
export {
  type ClientFilter,
  type ClientPage,
  type ClientPosition,
  type ClientSelection,
  MAX_NAME_PART_LENGTH,
  MAX_NAME_PREFIX_LENGTH,
  MIN_NAME_PART_LENGTH,
} from './client-selection.js';
export {
  type ChangeClientStatusInput,
  type ClientStatusInformation,
  changeClientStatus,
  readClientStatus,
  rejectClient,
} from './client-status.js';
export type { ClientUses } from './client-uses.js';
export { type DeleteClientInput, deleteClient } from './delete-client.js';
export { dryRunRegistration } from './dry-run-registration.js';
export type { EffectiveRegistration } from './effective-registration.js';
export { givesWay } from './entity-registration.js';
export {
  type ActiveClientDeps,
  findActiveClient,
  findResourceServer,
  type NamedResourceServer,
  type ResourceServerDeps,
} from './find-active-client.js';
export type { IdempotencyRecord, IdempotencyRecordStore } from './idempotency-record.js';
export {
  EXPORT_FORMATS,
  type ExportedClient,
  type ExportFormat,
  type ReadableClient,
} from './import/exported-client.js';
export {
  type ImportDryRun,
  type ImportInput,
  type ImportOutcome,
  importClient,
  importDryRun,
} from './import/import-client.js';
export { exportEntries, readExportedClient } from './import/read-exported-client.js';
export type { InitialAccessToken, InitialAccessTokenStore } from './initial-access-token.js';
export { keepingCredentials } from './keeping-credentials.js';
export type { RateLimit, RateLimitOutcome, RateLimitStore } from './limits/rate-limit-store.js';
export {
  type RegistrationLimitSettings,
  type RegistrationLimits,
  registrationLimits,
} from './limits/registration-limits.js';
export { type TokenBucketOptions, tokenBuckets } from './limits/token-buckets.js';
export {
  authorizeListing,
  type ClientList,
  type ListClientsDeps,
  type ListClientsInput,
  listClients,
} from './list-clients.js';
export { createMasterToken, type MasterToken } from './master-token.js';
export { DEFAULT_OPEN_REGISTRATION_SETTINGS, type OpenRegistrationSettings } from './open-registration.js';
export { type DeclaredPolicies, parseDeclaredPolicies } from './policy/declared-policies.js';
export { declaredPolicy } from './policy/declared-policy.js';
export type {
  PolicyRequest,
  PolicySubject,
  PolicySubjectAuthority,
  PresentRegistration,
  RegistrationPolicy,
} from './policy/registration-policy.js';
export {
  isSecretExpired,
  type Provisioned,
  provisionSecret,
  type SecretHolder,
  storedSecret,
} from './provision-secret.js';
export { type PruneDeps, type PruneInput, pruneClients } from './prune-clients.js';
export { readClient } from './read-client.js';
export {
  type AcceptedAutomaticRegistration,
  acceptAutomaticMetadata,
  registerAutomaticClient,
  renewAutomaticClient,
} from './register-automatic-client.js';
export { registerClient } from './register-client.js';
export {
  acceptExplicitMetadata,
  acceptFederatedMetadata,
  type ExplicitRegistration,
  type FederatedRegistration,
  registerFederatedClient,
} from './register-federated-client.js';
export { operatorAuthority, type RegistrationAuthority } from './registration-authority.js';
export type {
  AccessTokenRecogniser,
  InitialTokenReader,
  RegistrationAuthorityDeps,
  RegistrationDeps,
  SectorIdentifierSource,
  SoftwareStatementVerifier,
} from './registration-deps.js';
export { isImportableSecret, isRegistrationMember, isUpdateMember } from './registration-request.js';
export { DEFAULT_REGISTRATION_SETTINGS, type RegistrationSettings } from './registration-settings.js';
export type { RepeatableRequest } from './repeatable-request.js';
export type { ReplacedSecret } from './replace-secret.js';
export { requireTags } from './require-match.js';
export {
  type AudienceNames,
  audienceNames,
  mayIntrospect,
  resourceIdentifierRefusal,
  resourceName,
} from './resource-identifiers.js';
export {
  type RotateCredentialInput,
  rotateClientSecret,
  rotateRegistrationToken,
} from './rotate-credentials.js';
export {
  createSoftwareStatementVerifier,
  type SoftwareStatementVerifierDeps,
} from './software-statements/software-statement-verifier.js';
export { parseStatementIssuers, type StatementIssuers } from './software-statements/statement-issuers.js';
export { dryRunUpdate, type UpdateClientInput, updateClient } from './update-client.js';
