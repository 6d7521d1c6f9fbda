import type { AuditActor } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { type KeyChanges, keyChanges } from '@vestibule/crypto/key-rings';
import type { OpenKeysInstallation } from '../installation/with-store.js';
import { cachedSeconds } from './key-copies.js';

/** Creates the key changes of an open installation, recorded with the operator as the actor. */
export function recordedKeyChanges(
  { store, keyEncryptionKeys, environment }: OpenKeysInstallation,
  actor: AuditActor,
): KeyChanges {
  const { database, encryptor, clock } = store;
  return keyChanges({
    ...database.actingAs({ actor, clock }),
    encryptor,
    keyEncryptionKeys,
    clock,
    random: secureRandom,
    cachedSeconds: (keySet) => cachedSeconds(environment, keySet),
  });
}
