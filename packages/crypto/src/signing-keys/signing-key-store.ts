import type { EpochSeconds } from '@vestibule/protocol';
import type { JWK } from 'jose';
import type { KeyState } from '../data-keys/data-key-store.js';

/** The key set of the OpenID provider or of the federation entity. */
export type KeySetName = 'provider' | 'federation';

/** A stored key pair of the server. The private key is encrypted for (`signing_key`, `private_jwk_sealed`, kid). */
export interface StoredSigningKey {
  /** The thumbprint of the public key (RFC 7638). */
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
  /** When a retired key is removed from the published set. */
  readonly expiresAt?: EpochSeconds;
}

/** Store of the server's key pairs. */
export interface SigningKeyStore {
  /** Returns every key of a set that has not expired at `now`, oldest first. */
  list(keySet: KeySetName, now: EpochSeconds): Promise<readonly StoredSigningKey[]>;
  /** Returns the `kid` of every key that was ever added: of all sets, expired and deleted ones included. */
  listEveryKid(): Promise<readonly string[]>;
  /**
   * Adds a key unless an active key with the same set, use and algorithm exists; then returns false and changes
   * nothing. Of parallel starts, the first one wins.
   */
  insertFirst(key: StoredSigningKey): Promise<boolean>;
  /** Adds a key for a rotation. */
  insert(key: StoredSigningKey): Promise<void>;
  /** Updates a key's state and times. */
  update(key: StoredSigningKey): Promise<void>;
}
