import { secretAssociatedData } from '@vestibule/clients';
import {
  isDigestedUnder,
  KeyEncryptionError,
  type StoredDigest,
  type WrappedDataKey,
} from '@vestibule/crypto/data-keys';
import { keyIdentifier, type ListedKey } from '@vestibule/crypto/key-rings';
import { parseClientId } from '@vestibule/protocol';
import type { KeysPagesDeps } from './keys-deps.js';

/**
 * Says why the retirement of a key is refused: the secret of the client with which the console logs people in would not
 * match any more. `undefined` if it is not refused.
 */
export async function lockoutByRetirement(
  deps: KeysPagesDeps,
  listed: ListedKey,
): Promise<string | undefined> {
  // The active key cannot be retired, and nothing matches under a retired one.
  if (listed.kind !== 'data' || listed.key.purpose !== 'digest' || listed.key.state !== 'pending')
    return undefined;
  const secret = await loginSecret(deps);
  const isStored = secret && (await storageUnder(deps, listed.key, secret.stored));
  if (secret === undefined || isStored === undefined) return undefined;
  return `Nothing was changed: the console logs people in with the client ${secret.clientId}, whose secret ${isStored} stored under this key. When the key is retired, no login to the console is possible. Rotate the secret first, and set CONSOLE_CLIENT_SECRET to the new one: vestibule clients rotate-secret ${secret.clientId}. To retire the key all the same, at the command line: vestibule keys retire ${keyIdentifier(listed)}`;
}

interface LoginSecret {
  readonly clientId: string;
  readonly stored: StoredDigest;
}

/** The secret of the client of the console; `undefined` if it is not in the store, or has none. */
async function loginSecret({ store, loginClient }: KeysPagesDeps): Promise<LoginSecret | undefined> {
  const id = loginClient && parseClientId(loginClient.clientId);
  const secret = id && (await store.database.clients.find(id))?.secret;
  if (id === undefined || secret === undefined) return undefined;
  const value = await store.encryptor.open(secret.encrypted, secretAssociatedData(id));
  return { clientId: id, stored: { kind: 'client-secret', value, digest: secret.digest } };
}

/** If the key cannot be opened, every digest that matches under none of the others may be under it. */
async function storageUnder(
  { store: { digester }, keyEncryptionKeys }: KeysPagesDeps,
  key: WrappedDataKey,
  stored: StoredDigest,
): Promise<'is' | 'may be' | undefined> {
  try {
    return (await isDigestedUnder(keyEncryptionKeys, key, stored)) ? 'is' : undefined;
  } catch (error) {
    if (!(error instanceof KeyEncryptionError)) throw error;
    return digester.matchesAvailable(stored.kind, stored.value, stored.digest) ? undefined : 'may be';
  }
}
