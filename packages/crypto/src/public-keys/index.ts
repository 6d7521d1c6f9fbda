export {
  type FollowedKeySet,
  type FollowedKeySetOptions,
  followKeySet,
  KeySetUnavailableError,
} from './followed-key-set.js';
export { hasCertificate } from './jwk-certificate.js';
export { jwkThumbprint } from './jwk-thumbprint.js';
export type { KeySetFetcher } from './key-set-fetcher.js';
export { parseJwksText } from './parse-jwks-text.js';
export { commonKeys, type PublicJwkSet, type PublicJwkSetResult, parsePublicJwks } from './public-jwk-set.js';
export { createRemoteKeySets, type RemoteKeySets } from './remote-key-sets.js';
export {
  type AsymmetricKeyManagementAlgorithm,
  hasEncryptionKey,
  hasVerificationKey,
  type PublishedKey,
  selectEncryptionKey,
  selectVerificationKeys,
  verificationKeysIn,
} from './select-public-keys.js';
