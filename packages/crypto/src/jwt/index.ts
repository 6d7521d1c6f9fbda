export {
  audienceClaim,
  isExpired,
  isInFuture,
  isSoleAudience,
  numericDateClaim,
  textClaim,
} from './claims.js';
export {
  isLongEnoughSecret,
  secretDecryptionKeys,
  secretEncryptionKey,
  secretSigningKey,
  secretVerificationKeys,
} from './client-secret-keys.js';
export type { JoseHeader } from './compact-serialization.js';
export { type DecryptJwtOptions, decryptJwt } from './decrypt-jwt.js';
export { DecryptionError } from './decryption-error.js';
export { type EncryptJwtOptions, encryptJwt } from './encrypt-jwt.js';
export { JoseFailure } from './jose-failure.js';
export type {
  DecryptionKey,
  DecryptionKeyHint,
  DecryptionKeySource,
  EncryptionKey,
  KeyHint,
  SigningKey,
  VerificationKey,
  VerificationKeySource,
} from './jose-keys.js';
export { decodeUnverifiedJwt, isEncryptedJwt, type UnverifiedJwt, type VerifiedJwt } from './jwt.js';
export { type SignJwtInput, signJwt } from './sign-jwt.js';
export { requireType, type VerifyJwtOptions, verifyJwt } from './verify-jwt.js';
