import { clientEncryption, type IntrospectionCaller } from '@vestibule/client-auth';
import { type EncryptJwtOptions, JoseFailure } from '@vestibule/crypto/jwt';
import { DomainError } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { introspectionSigner, type ResponseSigner, type SignedFormat } from '@vestibule/tokens/introspection';
import type { IntrospectionServiceDeps } from './deps.js';

/** The `Content-Type` of each signed format. */
export const SIGNED_CONTENT_TYPE: Readonly<Record<SignedFormat, string>> = {
  jwt: MEDIA_TYPE.tokenIntrospectionJwt,
  'legacy-jwt': MEDIA_TYPE.jwt,
};

/**
 * Prepares signing, and encryption where the client registered it, of responses to a caller (RFC 9701 section 6). A
 * client that registered encryption never gets a signed response in clear; it may still ask for JSON.
 * @throws DomainError `invalid_request` when there is no key for the registered algorithm
 */
export async function responseSigner(
  deps: IntrospectionServiceDeps,
  { clientId, client: { metadata }, client }: IntrospectionCaller,
  format: SignedFormat,
): Promise<ResponseSigner> {
  const { introspection_signed_response_alg: wanted = deps.algorithm } = metadata;
  const algorithm = ASYMMETRIC_ALGORITHMS.find((known) => known === wanted);
  if (algorithm === undefined) throw noKey('signed');
  const encrypted = metadata['introspection_encrypted_response_alg'] !== undefined;
  const encryption = encrypted ? { encryption: await encryptionFor(deps, client) } : {};
  return introspectionSigner(deps, { clientId, algorithm, ...encryption }, format);
}

async function encryptionFor(
  deps: IntrospectionServiceDeps,
  client: IntrospectionCaller['client'],
): Promise<EncryptJwtOptions> {
  const {
    introspection_encrypted_response_alg: algorithm,
    introspection_encrypted_response_enc: encryption,
  } = client.metadata;
  try {
    const found = await clientEncryption(deps, client, { algorithm, encryption });
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
  }
  throw noKey('encrypted');
}

function noKey(kind: 'signed' | 'encrypted'): DomainError {
  return new DomainError(
    'invalid_request',
    `The client registered ${kind} responses, and there is no key for the registered algorithm`,
  );
}
