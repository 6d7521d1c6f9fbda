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
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  JWT_BEARER_ASSERTION_TYPE,
} from './client-auth-methods.js';
export { ENDPOINT_PATH, introspectionEndpoint, registrationEndpoint } from './endpoints.js';
export {
  type ExtensionGrantType,
  GRANT_TYPES,
  type GrantType,
  isExtensionGrantType,
  isGrantType,
  OPEN_GRANT_TYPES,
} from './grant-types.js';
export { MEDIA_TYPE } from './media-types.js';
export { OPENID_SCOPES } from './openid-scopes.js';
export { ACCESS_TOKEN_TYPES, type AccessTokenType, JWT_TYP } from './token-types.js';
