/** JWS algorithms that use the client secret (RFC 7518 section 3.2). */
export const HMAC_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;

/** JWS algorithms that use a key pair (RFC 7518 sections 3.3 to 3.5, RFC 9864). */
export const ASYMMETRIC_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** A JWS algorithm keyed with the client secret. */
export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number];

/** A JWS algorithm keyed with a key pair. */
export type AsymmetricAlgorithm = (typeof ASYMMETRIC_ALGORITHMS)[number];

/** A JWS algorithm that the product uses; never `none`. */
export type SigningAlgorithm = HmacAlgorithm | AsymmetricAlgorithm;

/** Minimum length of an HMAC secret in bytes (RFC 7518 section 3.2). */
export const HMAC_MIN_SECRET_BYTES: Readonly<Record<HmacAlgorithm, number>> = {
  HS256: 32,
  HS384: 48,
  HS512: 64,
};

/** JWE key management algorithms with an asymmetric key; never RSA1_5 or password-based ones. */
export const ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS = [
  'RSA-OAEP-256',
  'RSA-OAEP-384',
  'RSA-OAEP-512',
  'RSA-OAEP',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
] as const;

/** JWE key management algorithms with a key derived from the client secret (OpenID Connect Core section 10.2). */
export const SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS = [
  'dir',
  'A128KW',
  'A192KW',
  'A256KW',
  'A128GCMKW',
  'A192GCMKW',
  'A256GCMKW',
] as const;

/** A JWE `alg` that the product uses. */
export type KeyManagementAlgorithm =
  | (typeof ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS)[number]
  | (typeof SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS)[number];

/** JWE content encryption algorithms (RFC 7518 section 5.1). */
export const CONTENT_ENCRYPTION_ALGORITHMS = [
  'A128CBC-HS256',
  'A192CBC-HS384',
  'A256CBC-HS512',
  'A128GCM',
  'A192GCM',
  'A256GCM',
] as const;

/** A JWE `enc` that the product uses. */
export type ContentEncryptionAlgorithm = (typeof CONTENT_ENCRYPTION_ALGORITHMS)[number];
