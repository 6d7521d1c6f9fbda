export {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  retireDataKey,
  rewrapDataKeys,
} from './data-key-rotation.js';
export type { DataKeyPurpose, DataKeyStore, KeyState, WrappedDataKey } from './data-key-store.js';
export { type DataKeys, KEY_REFRESH_INTERVAL_MS, openDataKeys } from './data-keys.js';
export { isDigestedUnder, type StoredDigest } from './digested-under.js';
export {
  type AvailableDigests,
  type Digest,
  type Digester,
  type DigestKind,
  type DigestLookup,
  NO_DIGEST,
} from './digester.js';
export type { AssociatedData, Encryptor } from './encryptor.js';
export { KeyEncryptionError, type KeyEncryptionKeys, parseKeyEncryptionKeys } from './key-encryption-keys.js';
export { unkeyedDigest } from './unkeyed-digest.js';
export { type UnopenedDataKey, UnopenedDataKeysError } from './unopened-data-keys.js';
