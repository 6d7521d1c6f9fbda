export {
  type MemoryDataKeyStore,
  type MemorySigningKeyStore,
  memoryDataKeyStore,
  memorySigningKeyStore,
} from './memory-key-stores.js';
export { keyEncryptionKeyText, openTestDataKeys, openTestKeyRing } from './test-keys.js';
