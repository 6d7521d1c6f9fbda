export { type AdmissionLimits, admission } from './admission.js';
export {
  type AutomaticRegistration,
  automaticRegistration,
  type UnusedRequestObject,
} from './automatic/automatic-registration.js';
export type {
  AutomaticRegistrationDeps,
  AutomaticRegistrationRequest,
} from './automatic/automatic-registration-deps.js';
export { carryOutDenial, type Denial, type DenialDeps, type DenialOutcome } from './carry-out-denial.js';
export {
  federatedRegistration,
  type RegisteringEntity,
  type RegistrationTerms,
} from './federated-registration.js';
export type {
  FederationRegistrationDeps,
  OperatorControls,
  SharedStatements,
} from './federation-registration-deps.js';
export { recheckDenyList } from './recheck-deny-list.js';
export {
  isAddressed,
  openResolution,
  type ResolutionOptions,
  type ResolvedRelyingParty,
  resolveRelyingParty,
} from './resolve-relying-party.js';
export { type StatementCacheOptions, statementCache } from './statement-cache.js';
