export { aCertificate, aCertificateWithKey } from './client-certificates.js';
export { type AssertionOccasion, LIBRARY_ASSERTIONS, type LibraryAssertion } from './library-assertions.js';
export {
  type MemoryReplayStore,
  memoryReplayStore,
  unavailableReplayStore,
} from './memory-replay-store.js';
export { type OpenReplayStores, replayStoreContract } from './replay-store-contract.js';
