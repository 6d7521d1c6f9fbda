import { type Client, secretAssociatedData } from '@vestibule/clients';
import type { Encryptor } from '@vestibule/crypto/data-keys';

/** The decrypted secret of a client; `undefined` if it has none. */
export async function clearSecret(
  { encryptor }: { readonly encryptor: Encryptor },
  { id, secret }: Client,
): Promise<string | undefined> {
  return secret && encryptor.open(secret.encrypted, secretAssociatedData(id));
}
