import type { EpochSeconds } from '@vestibule/protocol';
import type { JWK } from 'jose';
import type { KeyState } from './data-key-store.js';

/** The key set of the OpenID provider, or that of the federation entity. */
export type KeySetName = 'provider' | 'federation';

/** A stored key pair of ours; the private part is encrypted for (`signing_key`, `private_jwk_sealed`, kid). */
export interface StoredSigningKey {
  readonly kid: string;
  readonly keySet: KeySetName;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
  readonly state: KeyState;
  readonly publicJwk: JWK;
  readonly privateJwkEncrypted: string;
  readonly createdAt: EpochSeconds;
  readonly activatedAt?: EpochSeconds;
  readonly retiredAt?: EpochSeconds;
  /** When a retired key disappears from the published set. */
  readonly expiresAt?: EpochSeconds;
}

/** Where our key pairs are kept. */
export interface SigningKeyStore {
  /** Every key of a set that has not expired at `now`, oldest first. */
  list(keySet: KeySetName, now: EpochSeconds): Promise<readonly StoredSigningKey[]>;
  /**
   * Adds a key. False, and no change, when an active key with the same set, use and algorithm exists already: the first
   * of any number of parallel starts wins.
   */
  insertFirst(key: StoredSigningKey): Promise<boolean>;
  /** Adds a key beside others, for a rotation. */
  insert(key: StoredSigningKey): Promise<void>;
  /** Changes a key's state and times. */
  update(key: StoredSigningKey): Promise<void>;
}
