import type { Client } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import { isDigestedUnder, KeyEncryptionError, type WrappedDataKey } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import { keyIdentifier, type ListedKey } from '@vestibule/crypto/key-rings';
import { findLoginClient, refusalForLoginClient } from '../../login/login-client.js';
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
  const client = await findLoginClient(deps);
  const isStored = client && (await storageUnder(deps, listed.key, client));
  if (client === undefined || isStored === undefined) return undefined;
  return refusalForLoginClient(
    `the client ${client.id}, whose secret ${isStored} stored under this key. When the key is retired, no login to the console is possible. Rotate the secret first, and set CONSOLE_CLIENT_SECRET to the new one: vestibule clients rotate-secret ${client.id}. To retire the key all the same, at the command line: vestibule keys retire ${keyIdentifier(listed)}`,
  );
}

/**
 * Whether the secret of a client is stored under a key; `undefined` if it is not, or if there is none. If the secret cannot
 * be decrypted, it may be under any key. If the key cannot be opened, every secret that matches under none of the others
 * may be under it.
 */
async function storageUnder(
  { store: { digester, encryptor }, keyEncryptionKeys }: KeysPagesDeps,
  key: WrappedDataKey,
  { id, secret }: Client,
): Promise<'is' | 'may be' | undefined> {
  if (secret === undefined) return undefined;
  const value = await ifOpened(encryptor.open(secret.encrypted, secretAssociatedData(id)));
  if (value === undefined) return 'may be';
  const { digest } = secret;
  const isUnder = await ifOpened(
    isDigestedUnder(keyEncryptionKeys, key, { kind: 'client-secret', value, digest }),
  );
  if (isUnder !== undefined) return isUnder ? 'is' : undefined;
  return digester.matchesAvailable('client-secret', value, digest) ? undefined : 'may be';
}

/** Waits for what needs a key; `undefined` if that cannot be opened, or does not decrypt the record. */
async function ifOpened<Result>(opening: Promise<Result>): Promise<Result | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof KeyEncryptionError || error instanceof DecryptionError) return undefined;
    throw error;
  }
}
