export {
  ASYMMETRIC_ALGORITHMS,
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  type AsymmetricAlgorithm,
  CONTENT_ENCRYPTION_ALGORITHMS,
  type ContentEncryptionAlgorithm,
  HMAC_ALGORITHMS,
  HMAC_MIN_SECRET_BYTES,
  type HmacAlgorithm,
  type KeyManagementAlgorithm,
  type SigningAlgorithm,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from './algorithms.js';
export {
  type Allowance,
  type AllowedHosts,
  allowanceOf,
  isAllowedHost,
  parseAllowedHosts,
  portOf,
} from './allowed-hosts.js';
export { DEFAULT_JSON_LIMITS, MAX_BODY_BYTES } from './body-limits.js';
export {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  JWT_BEARER_ASSERTION_TYPE,
} from './client-auth-methods.js';
export { type Clock, nowSeconds, systemClock } from './clock.js';
export { DomainError, type DomainErrorDetails } from './domain-error.js';
export { ENDPOINT_PATH, introspectionEndpoint, registrationEndpoint } from './endpoints.js';
export { type EpochSeconds, epochSeconds, isEpochSeconds, toDate } from './epoch-seconds.js';
export { ERROR_CODES, type ErrorCode } from './error-codes.js';
export {
  type ExtensionGrantType,
  GRANT_TYPES,
  type GrantType,
  isExtensionGrantType,
  isGrantType,
  OPEN_GRANT_TYPES,
} from './grant-types.js';
export {
  CLIENT_ID_MAX_LENGTH,
  type ClientId,
  type Issuer,
  parseClientId,
  parseIssuer,
} from './identifiers.js';
export { inOneOrder, isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.js';
export { type MachineClocks, type MachineTime, machineTime } from './machine-time.js';
export { MEDIA_TYPE } from './media-types.js';
export { OutdatedServerError } from './outdated-server-error.js';
export { isSafeText, JsonError, type JsonLimits, parseJson } from './parse-json.js';
export { parseJsonMembers } from './parse-json-members.js';
export { preferredMediaType } from './preferred-media-type.js';
export type { RandomSource } from './random-source.js';
export { type SharedRuns, sharedRuns } from './shared-runs.js';
export { ThrottledError } from './throttled-error.js';
export { ACCESS_TOKEN_TYPES, type AccessTokenType, JWT_TYP } from './token-types.js';
export type { Span, SpanFacts, SpanStart, Tracer } from './tracer.js';
export { isEntityHost, isUriHost } from './uri-host.js';
