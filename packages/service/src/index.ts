export {
  type FailedAuthenticationThrottle,
  type FailedAuthenticationThrottleOptions,
  failedAuthenticationThrottle,
  openFailedAuthenticationThrottle,
} from './authentication/failed-authentication-throttle.js';
export { checkMasterToken, requireMasterToken } from './authentication/require-master-token.js';
export { type CountClientRefusal, clientRefusalCounter } from './metrics/client-refusal-counter.js';
export { clientAddress, clientName, registeredName, type ShownMetadata } from './pages/client-words.js';
export {
  type ClientRegistrationConfig,
  type CommonRegistrationSettings,
  commonRegistrationSettings,
  supportedClientMetadata,
} from './registration/client-registration.js';
export {
  type CountRefusedRegistration,
  countingRegistrations,
  refusedRegistrations,
} from './registration/registration-metrics.js';
export {
  type AuthorizationServerKeys,
  type AuthorizationServerKeysOptions,
  type AuthorizationServerSettings,
  authorizationServerKeys,
  openAuthorizationServerKeys,
} from './stores/authorization-server-keys.js';
export { createServiceEgress, type ServiceEgressOptions } from './stores/service-egress.js';
export { openServiceStore, type ServiceStore, type ServiceStoreOptions } from './stores/service-store.js';
export type { TraceSettings } from './tracing/trace-settings.js';
