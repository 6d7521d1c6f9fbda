export { useDigestKeyUnder } from './digest-key-under.js';
export { accessTokenHash, aDpopClient, type DpopClient } from './dpop-client.js';
export {
  type MemoryDataKeyStore,
  type MemorySigningKeyStore,
  memoryDataKeyStore,
  memorySigningKeyStore,
} from './memory-key-stores.js';
export { withMissingDigestKey } from './missing-digest-key.js';
export { rotateDataKey } from './rotate-data-key.js';
export { keyEncryptionKeyText, openTestDataKeys, openTestKeyRing } from './test-keys.js';
