/** Where wrapped data keys are kept. */
export interface DataKeyStore {
  /** Every data key, retired ones included, oldest first. */
  list(): Promise<readonly WrappedDataKey[]>;
  /**
   * Adds a key. False, and no change, when an active key with the same purpose exists already: the first of any number
   * of parallel starts wins.
   */
  insertFirst(key: WrappedDataKey): Promise<boolean>;
  /** Adds a key beside others, for a rotation. */
  insert(key: WrappedDataKey): Promise<void>;
  /**
   * Changes the state of a key, or its wrapping under another key-encryption key. One that becomes active takes the place
   * of the active key with the same purpose, which turns to pending.
   */
  update(key: WrappedDataKey): Promise<void>;
}

/** What a data key is for. */
export type DataKeyPurpose = 'seal' | 'digest';

/** A pending key opens and matches, and is not yet used for new records; an active one is; a retired one opens only. */
export type KeyState = 'pending' | 'active' | 'retired';

/** A data key, encrypted under a key-encryption key. */
export interface WrappedDataKey {
  readonly id: string;
  readonly purpose: DataKeyPurpose;
  readonly state: KeyState;
  readonly wrapped: string;
  readonly keyEncryptionKeyId: string;
  readonly createdAtMs: number;
  /** When it became active for the last time; absent, too, of a key that became it before this was noted. */
  readonly activatedAtMs?: number;
}
