/** Store of wrapped data keys. */
export interface DataKeyStore {
  /** Returns every data key, including retired ones, oldest first. */
  list(): Promise<readonly WrappedDataKey[]>;
  /**
   * Adds a key unless an active key with the same purpose exists; then returns false and changes nothing. Of parallel
   * starts, the first one wins.
   */
  insertFirst(key: WrappedDataKey): Promise<boolean>;
  /** Adds a key for a rotation. */
  insert(key: WrappedDataKey): Promise<void>;
  /**
   * Updates the state of a key, or its wrapping. A key that becomes active replaces the active key with the same
   * purpose, which becomes pending.
   */
  update(key: WrappedDataKey): Promise<void>;
}

/** Purpose of a data key. */
export type DataKeyPurpose = 'seal' | 'digest';

/**
 * A pending key decrypts and matches but is not used for new records; an active one is; a retired one only decrypts.
 */
export type KeyState = 'pending' | 'active' | 'retired';

/** A data key encrypted under a key-encryption key. */
export interface WrappedDataKey {
  readonly id: string;
  readonly purpose: DataKeyPurpose;
  readonly state: KeyState;
  readonly wrapped: string;
  readonly keyEncryptionKeyId: string;
  readonly createdAtMs: number;
  /** When it last became active; absent also for keys that became active before this was recorded. */
  readonly activatedAtMs?: number;
}
