import type { Clock, RandomSource } from '@vestibule/protocol';
import { activateDataKey, addDataKey, retireDataKey } from '../data-keys/data-key-rotation.js';
import type { DataKeyPurpose, DataKeyStore } from '../data-keys/data-key-store.js';
import type { Encryptor } from '../data-keys/encryptor.js';
import type { KeyEncryptionKeys } from '../data-keys/key-encryption-keys.js';
import type { KeyPairPurpose } from '../signing-keys/key-pair.js';
import {
  activateSigningKey,
  addSigningKey,
  retireSigningKey,
  type SigningKeyChange,
} from '../signing-keys/signing-key-management.js';
import type { KeySetName, SigningKeyStore, StoredSigningKey } from '../signing-keys/signing-key-store.js';
import type { ListedKey } from './listed-key.js';

/** Dependencies of {@link keyChanges}. */
export interface KeyChangeDeps {
  /** Stores that record the changes with their actor. */
  readonly dataKeys: DataKeyStore;
  readonly signingKeys: SigningKeyStore;
  readonly encryptor: Encryptor;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** How long copies of a published key set may be cached, in seconds, as set for the services that publish it. */
  readonly cachedSeconds: (keySet: KeySetName) => number;
}

/** How long a retired key pair stays published, and whether to wait for cached copies of the published keys. */
export interface Publication {
  readonly publishedSeconds: number;
  readonly atOnce: boolean;
}

/** Changes of keys by an operator. */
export interface KeyChanges {
  /** Creates a pending key. */
  add(wanted: NewKey): Promise<ListedKey>;
  /**
   * Activates a pending key.
   * @throws KeyStateError
   */
  activate(listed: ListedKey, publication: Publication): Promise<void>;
  /**
   * Retires a key.
   * @throws KeyStateError
   */
  retire(listed: ListedKey, publication: Publication): Promise<void>;
}

/** Kind and purpose of a new key. */
export type NewKey =
  | { readonly kind: 'signing'; readonly purpose: KeyPairPurpose }
  | { readonly kind: 'data'; readonly purpose: DataKeyPurpose };

/** Creates the changes of the keys in a store. */
export function keyChanges(deps: KeyChangeDeps): KeyChanges {
  const { dataKeys, signingKeys, encryptor, keyEncryptionKeys, clock, random, cachedSeconds } = deps;
  const data = { store: dataKeys, keyEncryptionKeys, clock, random };
  const pairs = { store: signingKeys, encryptor, clock };
  const change = (
    { keySet, kid }: StoredSigningKey,
    { publishedSeconds, atOnce }: Publication,
  ): SigningKeyChange => {
    const named = { keySet, kid, publishedSeconds };
    return atOnce ? { ...named, atOnce } : { ...named, cachedSeconds: cachedSeconds(keySet) };
  };
  return {
    add: async (wanted) =>
      wanted.kind === 'data'
        ? { kind: 'data', key: await addDataKey(data, wanted.purpose) }
        : { kind: 'signing', key: await addSigningKey(pairs, wanted.purpose) },
    activate: ({ kind, key }, publication) =>
      kind === 'data' ? activateDataKey(data, key.id) : activateSigningKey(pairs, change(key, publication)),
    retire: ({ kind, key }, publication) =>
      kind === 'data' ? retireDataKey(data, key.id) : retireSigningKey(pairs, change(key, publication)),
  };
}
