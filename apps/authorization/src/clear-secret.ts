import { type Client, secretPlace } from '@vestibule/clients';
import type { Sealer } from '@vestibule/crypto';

/** The secret of a client in clear; `undefined` when it has none. */
export async function clearSecret(
  { sealer }: { readonly sealer: Sealer },
  { id, secret }: Client,
): Promise<string | undefined> {
  return secret && sealer.open(secret.sealed, secretPlace(id));
}
