import type { Client } from '@vestibule/clients';
import {
  type EncryptionKey,
  encryptJwt,
  JoseFailure,
  parsePublicJwks,
  type Sealer,
  secretEncryptionKey,
  selectEncryptionKey,
} from '@vestibule/crypto';
import {
  ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  CONTENT_ENCRYPTION_ALGORITHMS,
  type ContentEncryptionAlgorithm,
  DomainError,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol';
import { clearSecret } from './clear-secret.js';

/** What finding the key of a client takes. */
interface EncryptionDeps {
  readonly sealer: Sealer;
}

/**
 * An ID token as the client registered to receive it: as it is, or encrypted to the client (OpenID Connect Core
 * sections 10.2 and 16.14). Keys behind a `jwks_uri` are not fetched here.
 * @throws DomainError `invalid_request` when it is to be encrypted and there is no key for that; never falls back to
 *   the token in clear.
 */
export async function encryptIdToken(deps: EncryptionDeps, idToken: string, client: Client): Promise<string> {
  const { id_token_encrypted_response_alg: algorithm, id_token_encrypted_response_enc: enc } =
    client.metadata;
  if (algorithm === undefined) return idToken;
  const encryption = CONTENT_ENCRYPTION_ALGORITHMS.find((name) => name === enc);
  if (encryption === undefined) throw noKey();
  try {
    const key = await encryptionKey(deps, client, encryption);
    if (key === undefined) throw noKey();
    return await encryptJwt(idToken, { key, encryption });
  } catch (error) {
    if (error instanceof JoseFailure) throw noKey(error);
    throw error;
  }
}

async function encryptionKey(
  deps: EncryptionDeps,
  client: Client,
  encryption: ContentEncryptionAlgorithm,
): Promise<EncryptionKey | undefined> {
  const { id_token_encrypted_response_alg: wanted, jwks } = client.metadata;
  const symmetric = SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((name) => name === wanted);
  if (symmetric !== undefined) {
    const secret = await clearSecret(deps, client);
    return secret === undefined ? undefined : secretEncryptionKey(secret, symmetric, encryption);
  }
  const asymmetric = ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((name) => name === wanted);
  const parsed = parsePublicJwks(jwks);
  return asymmetric && parsed.ok ? selectEncryptionKey(parsed.jwks, asymmetric) : undefined;
}

function noKey(cause?: unknown): DomainError {
  return new DomainError(
    'invalid_request',
    'The client wants encrypted ID tokens and no key for that is at hand',
    { cause },
  );
}
