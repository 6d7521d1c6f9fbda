import { type Client, secretAssociatedData } from '@vestibule/clients';
import {
  type EncryptionKey,
  type EncryptJwtOptions,
  type Encryptor,
  hasEncryptionKey,
  secretEncryptionKey,
  selectEncryptionKey,
} from '@vestibule/crypto';
import {
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  type ContentEncryptionAlgorithm,
  type JsonValue,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol';
import { type ClientKeyDeps, clientKeySet } from './client-key-set.js';

/** What finding the key that messages to a client are encrypted with takes. */
export interface ClientEncryptionDeps extends ClientKeyDeps {
  /** Opens the secrets that symmetric keys come from. */
  readonly encryptor: Pick<Encryptor, 'open'>;
}

/** What a client registered for one kind of message, such as `introspection_encrypted_response_alg` and `_enc`. */
export interface RegisteredEncryption {
  readonly algorithm: JsonValue | undefined;
  /** Default `A128CBC-HS256`. */
  readonly encryption: JsonValue | undefined;
}

const DEFAULT_ENCRYPTION: ContentEncryptionAlgorithm = 'A128CBC-HS256';

/**
 * How a message to a client is encrypted: to a key of its own, from its `jwks` or from behind its `jwks_uri`, or with
 * one that comes from its secret (OpenID Connect Core 1.0 sections 10.1 and 10.2). `undefined` when there is no such
 * key to be had, whatever the reason: then the message must not be sent.
 */
export async function clientEncryption(
  deps: ClientEncryptionDeps,
  client: Client,
  registered: RegisteredEncryption,
): Promise<EncryptJwtOptions | undefined> {
  const { encryption: name = DEFAULT_ENCRYPTION } = registered;
  const encryption = CONTENT_ENCRYPTION_ALGORITHMS.find((known) => known === name);
  if (encryption === undefined) return undefined;
  const key = await keyFor(deps, client, { algorithm: registered.algorithm, encryption });
  return key && { key, encryption };
}

async function keyFor(
  deps: ClientEncryptionDeps,
  client: Client,
  { algorithm, encryption }: { algorithm: JsonValue | undefined; encryption: ContentEncryptionAlgorithm },
): Promise<EncryptionKey | undefined> {
  const symmetric = SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((known) => known === algorithm);
  if (symmetric !== undefined) {
    if (client.secret === undefined) return undefined;
    const secret = await deps.encryptor.open(client.secret.encrypted, secretAssociatedData(client.id));
    return secretEncryptionKey(secret, symmetric, encryption);
  }
  const asymmetric = ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((known) => known === algorithm);
  if (asymmetric === undefined) return undefined;
  const keySet = await clientKeySet(deps, client, (held) => hasEncryptionKey(held, asymmetric));
  return keySet && selectEncryptionKey(keySet, asymmetric);
}
