export {
  type AutomaticProof,
  type AutomaticRequest,
  type AutomaticRules,
  readAutomaticRequest,
  verifyAutomaticRequest,
} from './automatic-request.js';
export {
  type ExplicitRequest,
  PROVIDER,
  RELYING_PARTY,
  type Recipient,
  readExplicitRequest,
  type StatementBody,
} from './explicit-request.js';
export { refusalOf } from './refusals.js';
export {
  type RegistrationOutcome,
  type RegistrationStatement,
  registrationStatement,
} from './registration-statement.js';
export {
  type RegistrationTrust,
  type RelyingParty,
  requireTrust,
  resolveRegistration,
} from './resolve-registration.js';
export { type SignedKeySet, verifySignedKeySet } from './signed-key-set.js';
