import type { WrappedDataKey } from './data-key-store.js';
import { KeyEncryptionError } from './key-encryption-keys.js';

/** What is known of a stored data key that none of the key-encryption keys opens. */
export type UnopenedDataKey = Pick<WrappedDataKey, 'id' | 'purpose' | 'state'>;

/** Stored data keys are not wrapped under any of the key-encryption keys. */
export class UnopenedDataKeysError extends KeyEncryptionError {
  /** Those keys; never none. */
  readonly keys: readonly UnopenedDataKey[];

  constructor(keys: readonly UnopenedDataKey[]) {
    super('a data key is not wrapped under any of the key-encryption keys');
    this.keys = keys;
  }
}
