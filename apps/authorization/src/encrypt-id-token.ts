import { clientEncryption } from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import { encryptJwt, JoseFailure, type Sealer } from '@vestibule/crypto';
import { DomainError } from '@vestibule/protocol';

/**
 * An ID token as the client registered to receive it: as it is, or encrypted to the client (OpenID Connect Core
 * sections 10.2 and 16.14). Keys behind a `jwks_uri` are not fetched here.
 * @throws DomainError `invalid_request` when it is to be encrypted and there is no key for that; never falls back to
 *   the token in clear.
 */
export async function encryptIdToken(
  { sealer }: { readonly sealer: Sealer },
  idToken: string,
  client: Client,
): Promise<string> {
  const { id_token_encrypted_response_alg: algorithm, id_token_encrypted_response_enc: encryption } =
    client.metadata;
  if (algorithm === undefined) return idToken;
  try {
    const options = await clientEncryption({ sealer }, client, { algorithm, encryption });
    if (options === undefined) throw noKey();
    return await encryptJwt(idToken, options);
  } catch (error) {
    if (error instanceof JoseFailure) throw noKey(error);
    throw error;
  }
}

function noKey(cause?: unknown): DomainError {
  return new DomainError(
    'invalid_request',
    'The client wants encrypted ID tokens and no key for that is at hand',
    { cause },
  );
}
