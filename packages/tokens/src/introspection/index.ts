export type { InactiveReason } from '../inactive-reason.js';
export { explainToken, type TokenExplanation, type TokenExplanationDeps } from './explain-token.js';
export {
  INACTIVE_CAUSES,
  type InactiveCause,
  type InactiveTokenRecords,
  type LeftOutToken,
  type TokenDigests,
} from './inactive-cause.js';
export {
  type InactiveResponseRateLimit,
  type InactiveResponseRateLimitOptions,
  inactiveResponseRateLimit,
} from './inactive-response-rate-limit.js';
export { inspectToken, type TokenInspection } from './inspect-token.js';
export {
  type Introspection,
  type IntrospectionDeps,
  type IntrospectionRequest,
  introspect,
  type ResourceServer,
  type ResponseRules,
  type TokenDecision,
} from './introspect.js';
export { type IntrospectionFormat, introspectionFormat } from './introspection-format.js';
export {
  type ActiveTokenView,
  composeResponse,
  INACTIVE_RESPONSE,
  type IntrospectionResponse,
  type ResponseComposer,
  tokenType,
} from './introspection-response.js';
export {
  introspectionSigner,
  type ResponseSigner,
  type SignedFormat,
  type SignedIntrospectionDeps,
} from './signed-introspection.js';
