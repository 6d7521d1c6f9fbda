export {
  type KeyChangeDeps,
  type KeyChanges,
  keyChanges,
  type NewKey,
  type Publication,
} from './key-changes.js';
export {
  type KeyRecord,
  type KeyStores,
  keyIdentifier,
  keyRecord,
  type ListedKey,
  listKeys,
} from './listed-key.js';
export { type KeyStep, nextKeyStep } from './next-key-step.js';
export { isDataRing, keyPairPurpose, RING_NAMES, type Ring, ringAlgorithms } from './rings.js';
