export { type AdmissionLimits, admission } from './admission.js';
export type { AutomaticEnrolment, AutomaticRegistrationRequest } from './automatic/automatic-enrolment.js';
export {
  type AutomaticRegistration,
  automaticRegistration,
  type UnusedRequestObject,
} from './automatic/automatic-registration.js';
export { requireNotDeniedMeanwhile } from './denied-meanwhile.js';
export type { Enrolment, OperatorControls, SharedStatements } from './enrolment.js';
export {
  federatedRegistration,
  type RegisteringEntity,
  type RegistrationTerms,
} from './federated-registration.js';
export {
  isAddressed,
  openResolution,
  type ResolutionOptions,
  type ResolvedRelyingParty,
  resolveRelyingParty,
} from './resolve-relying-party.js';
export { type StatementCacheOptions, statementCache } from './statement-cache.js';
