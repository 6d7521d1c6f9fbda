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
  type SymmetricKeyManagementAlgorithm,
  secretDecryptionKeys,
  secretEncryptionKey,
  secretSigningKey,
  secretVerificationKeys,
} from './client-secret-keys.js';
export type { JoseHeader } from './compact-serialization.js';
export { constantTimeEquals } from './constant-time-equals.js';
export {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  retireDataKey,
  rewrapDataKeys,
} from './data-key-rotation.js';
export type { DataKeyPurpose, DataKeyStore, KeyState, WrappedDataKey } from './data-key-store.js';
export {
  type DataKeyDependencies,
  type DataKeys,
  KEY_REFRESH_INTERVAL_MS,
  openDataKeys,
} from './data-keys.js';
export { type DecryptJwtOptions, decryptJwt } from './decrypt-jwt.js';
export { DecryptionError } from './decryption-error.js';
export {
  type AvailableDigests,
  type Digest,
  type Digester,
  type DigestKind,
  type DigestLookUp,
  NO_DIGEST,
} from './digester.js';
export { type EncryptJwtOptions, encryptJwt } from './encrypt-jwt.js';
export type { AssociatedData, Encryptor } from './encryptor.js';
export { JoseFailure, type JoseFailureReason } from './jose-failure.js';
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
export { hasCertificate } from './jwk-certificate.js';
export { jwkThumbprint } from './jwk-thumbprint.js';
export { decodeUnverifiedJwt, isEncryptedJwt, type UnverifiedJwt, type VerifiedJwt } from './jwt.js';
export { KeyEncryptionError, type KeyEncryptionKeys, parseKeyEncryptionKeys } from './key-encryption-keys.js';
export {
  KEY_PAIR_ENCRYPTION_ALGORITHMS,
  type KeyPairEncryptionAlgorithm,
  type KeyPairPurpose,
} from './key-pair.js';
export { type KeyRing, type KeyRingDependencies, openKeyRing, openPrivateJwks } from './key-ring.js';
export type { KeySetFetcher } from './key-set-fetcher.js';
export { KeyStateError } from './key-state-error.js';
export { createMasterToken, type MasterToken } from './master-token.js';
export {
  commonKeys,
  type PublicJwkSet,
  type PublicJwkSetResult,
  parsePublicJwks,
} from './public-jwk-set.js';
export { randomAlphanumeric, secureRandom } from './random.js';
export { createRemoteKeySets, type RemoteKeySets, type RemoteKeySetsOptions } from './remote-key-sets.js';
export { parseSecretHash } from './secret-hash/parse-secret-hash.js';
export type { SecretHash, SecretHashRefusal } from './secret-hash/secret-hash.js';
export { matchesSecretHash } from './secret-hash/verify-secret-hash.js';
export {
  type AsymmetricKeyManagementAlgorithm,
  hasEncryptionKey,
  hasVerificationKey,
  selectEncryptionKey,
  selectVerificationKeys,
} from './select-public-keys.js';
export { sha256 } from './sha256.js';
export { type SignJwtInput, signJwt } from './sign-jwt.js';
export {
  activateSigningKey,
  addSigningKey,
  ensureSigningKey,
  retireSigningKey,
  type SigningKeyChange,
  type SigningKeyDependencies,
  type SigningKeyOverlap,
  signingKeyOverlapSeconds,
} from './signing-key-management.js';
export type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';
export { type UnopenedDataKey, UnopenedDataKeysError } from './unopened-data-keys.js';
export { requireType, type VerifyJwtOptions, verifyJwt } from './verify-jwt.js';
