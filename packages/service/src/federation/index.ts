export {
  composeFederationRegistration,
  type FederationRegistrationConfig,
  type FederationRegistrationParts,
} from './compose-registration.js';
export { refusalDelay } from './refusal-delay.js';
export {
  type FederationRegistrationMetrics,
  federationRegistrationMetrics,
  NO_FEDERATION_REGISTRATION_METRICS,
  type RegistrationKind,
  refusalReason,
} from './registration-metrics.js';
export type { OwnTrustMark } from './setting-forms.js';
