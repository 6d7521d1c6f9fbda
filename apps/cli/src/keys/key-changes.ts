import type { AuditActor } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, type DataKeyPurpose, retireDataKey } from '@vestibule/crypto/data-keys';
import {
  activateSigningKey,
  addSigningKey,
  type KeyPairPurpose,
  retireSigningKey,
} from '@vestibule/crypto/signing-keys';
import type { OpenKeysInstallation } from '../installation/with-store.js';
import { keyOverlap } from './key-copies.js';
import type { ListedKey } from './key-rings.js';

/** How long a retired key pair stays published, and whether to wait for cached copies of the published keys. */
export interface Publication {
  readonly publishedSeconds: number;
  readonly atOnce: boolean;
}

/** Key changes of commands, recorded with the operator as the actor. */
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

/** Creates the key changes of an open installation. */
export function keyChanges(
  { store, keyEncryptionKeys, environment }: OpenKeysInstallation,
  actor: AuditActor,
): KeyChanges {
  const { dataKeys, signingKeys } = store.database.actingAs({ actor, clock: store.clock });
  const data = { store: dataKeys, keyEncryptionKeys, clock: store.clock, random: secureRandom };
  const pairs = { store: signingKeys, encryptor: store.encryptor, clock: store.clock };
  const change = (key: Extract<ListedKey, { kind: 'signing' }>['key'], publication: Publication) => ({
    keySet: key.keySet,
    kid: key.kid,
    publishedSeconds: publication.publishedSeconds,
    ...keyOverlap(environment, key.keySet, publication.atOnce),
  });
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
