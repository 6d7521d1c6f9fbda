import type { WrappedDataKey } from './data-key-store.js';
import { KeyEncryptionError } from './key-encryption-keys.js';

/** A stored data key that none of the key-encryption keys can unwrap. */
export type UnopenedDataKey = Pick<WrappedDataKey, 'id' | 'purpose' | 'state'>;

/** None of the key-encryption keys wrapped some stored data keys. */
export class UnopenedDataKeysError extends KeyEncryptionError {
  /** Those keys, at least one. */
  readonly keys: readonly UnopenedDataKey[];

  constructor(keys: readonly UnopenedDataKey[]) {
    super('a data key is not wrapped under any of the key-encryption keys');
    this.keys = keys;
  }
}
