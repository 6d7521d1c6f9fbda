import { clientEncryption } from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { encryptJwt, JoseFailure } from '@vestibule/crypto/jwt';
import { DomainError } from '@vestibule/protocol';

/** Encrypts an ID token, or returns it unchanged. */
export type IdTokenEncryption = (idToken: string) => Promise<string>;

/**
 * Returns the encryption that a client registered for its ID tokens: none, or encryption to the client (OpenID Connect
 * Core sections 10.2 and 16.14). Keys behind a `jwks_uri` are not fetched here.
 * @throws DomainError `invalid_request` if encryption is registered and there is no key for it; never falls back to an
 * unencrypted token
 */
export async function idTokenEncryption(
  deps: { readonly encryptor: Encryptor },
  client: Client,
): Promise<IdTokenEncryption> {
  const { id_token_encrypted_response_alg: algorithm, id_token_encrypted_response_enc: encryption } =
    client.metadata;
  if (algorithm === undefined) return async (idToken) => idToken;
  const options = await encrypting(() => clientEncryption(deps, client, { algorithm, encryption }));
  if (options === undefined) throw noKey();
  return (idToken) => encrypting(() => encryptJwt(idToken, options));
}

async function encrypting<Result>(operate: () => Promise<Result>): Promise<Result> {
  try {
    return await operate();
  } catch (error) {
    if (error instanceof JoseFailure) throw noKey(error);
    throw error;
  }
}

function noKey(cause?: unknown): DomainError {
  return new DomainError(
    'invalid_request',
    'client_id: the client registered encrypted ID tokens, and there is no key to encrypt with',
    { cause },
  );
}
