import {
  hasCertificate,
  hasEncryptionKey,
  hasVerificationKey,
  type PublicJwkSet,
  parsePublicJwks,
} from '@vestibule/crypto/public-keys';
import { ASYMMETRIC_ALGORITHMS, ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import type { RecognizedMembers } from './metadata-schema.js';

/** What the keys of a client are good for. Keys at a `jwks_uri`, which are not read, are good for everything. */
export interface ClientKeys {
  /** Whether a key verifies signatures with this JWS algorithm. */
  canVerify(algorithm: string): boolean;
  /** Whether messages can be encrypted to a key with this JWE key management algorithm. */
  canEncrypt(algorithm: string): boolean;
  /** Whether a key comes with a certificate. */
  haveCertificate(): boolean;
}

/** Reads the keys of a client, once and only if they matter. Keys that cannot be read are good for nothing. */
export function keysOfClient({
  jwks,
  jwks_uri: uri,
}: Pick<RecognizedMembers, 'jwks' | 'jwks_uri'>): ClientKeys {
  let parsed: PublicJwkSet | 'none' | undefined;
  const satisfies = (isSuitable: (keys: PublicJwkSet) => boolean) => {
    if (uri !== undefined) return true;
    parsed ??= parsedKeys(jwks) ?? 'none';
    return parsed !== 'none' && isSuitable(parsed);
  };
  return {
    canVerify: (algorithm) => {
      const known = ASYMMETRIC_ALGORITHMS.find((each) => each === algorithm);
      return known !== undefined && satisfies((keys) => hasVerificationKey(keys, known));
    },
    canEncrypt: (algorithm) => {
      const known = ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((each) => each === algorithm);
      return known !== undefined && satisfies((keys) => hasEncryptionKey(keys, known));
    },
    haveCertificate: () => satisfies(hasCertificate),
  };
}

function parsedKeys(jwks: RecognizedMembers['jwks']): PublicJwkSet | undefined {
  if (jwks === undefined) return undefined;
  const result = parsePublicJwks(jwks);
  return result.ok ? result.jwks : undefined;
}
