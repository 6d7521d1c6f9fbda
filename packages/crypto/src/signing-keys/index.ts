export {
  KEY_PAIR_ENCRYPTION_ALGORITHMS,
  type KeyPairEncryptionAlgorithm,
  type KeyPairPurpose,
} from './key-pair.js';
export { type KeyRing, openKeyRing, openPrivateJwks } from './key-ring.js';
export { KeyStateError } from './key-state-error.js';
export {
  activateSigningKey,
  addSigningKey,
  ensureSigningKey,
  retireSigningKey,
  type SigningKeyChange,
  type SigningKeyOverlap,
  signingKeyOverlapSeconds,
} from './signing-key-management.js';
export type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';
export {
  keysOfBothServers,
  type OtherServerKeys,
  type OtherServerSigners,
  ownKeysBeside,
  withoutOwnKeys,
} from './without-own-keys.js';
