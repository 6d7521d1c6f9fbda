export { authorizeRegistration, type RegistrationCredential } from './authorize-registration.js';
export { checkGrantedScopes } from './check-granted-scopes.js';
export { checkInitialGrant } from './check-initial-grant.js';
export { dryRunRegistration, type EffectiveRegistration } from './dry-run-registration.js';
export type { IdempotencyRecord, IdempotencyRecordStore } from './idempotency-record.js';
export type {
  InitialAccessToken,
  InitialAccessTokenStore,
  InitialTokenReader,
} from './initial-access-token.js';
export {
  DEFAULT_OPEN_REGISTRATION_SETTINGS,
  type OpenRegistrationSettings,
  openGrantedScopes,
} from './open-registration.js';
export { isSecretExpired, storedSecret } from './provision-credentials.js';
export { registerClient } from './register-client.js';
export { operatorAuthority, type RegistrationAuthority } from './registration-authority.js';
export type {
  AccessTokenRecognizer,
  RegistrationDeps,
  SectorIdentifierSource,
  SoftwareStatementVerifier,
} from './registration-deps.js';
export { type RegistrationLimits, registrationLimits } from './registration-limits.js';
export { isImportableSecret, isRegistrationMember, isUpdateMember } from './registration-request.js';
export { DEFAULT_REGISTRATION_SETTINGS, type RegistrationSettings } from './registration-settings.js';
