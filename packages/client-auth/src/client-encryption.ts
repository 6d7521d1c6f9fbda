import type { Client } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { type EncryptionKey, type EncryptJwtOptions, secretEncryptionKey } from '@vestibule/crypto/jwt';
import { hasEncryptionKey, selectEncryptionKey } from '@vestibule/crypto/public-keys';
import {
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  type ContentEncryptionAlgorithm,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import type { JsonValue } from '@vestibule/protocol/json';
import { type ClientKeyDeps, clientKeySet } from './client-key-set.js';

/** Dependencies of finding the encryption key of a client. */
export interface ClientEncryptionDeps extends ClientKeyDeps {
  /** Decrypts the secrets from which symmetric keys are derived. */
  readonly encryptor: Pick<Encryptor, 'open'>;
}

/** Registered encryption for one kind of message, such as `introspection_encrypted_response_alg` and `_enc`. */
export interface RegisteredEncryption {
  readonly algorithm: JsonValue | undefined;
  /** Default `A128CBC-HS256`. */
  readonly encryption: JsonValue | undefined;
}

const DEFAULT_ENCRYPTION: ContentEncryptionAlgorithm = 'A128CBC-HS256';

/**
 * Determines how to encrypt a message to a client: to a key from its `jwks` or `jwks_uri`, or with a key derived from
 * its secret (OpenID Connect Core 1.0 sections 10.1 and 10.2). `undefined` if no such key is available, for whatever
 * reason: then the message must not be sent.
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
