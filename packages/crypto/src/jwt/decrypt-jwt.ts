import type { ContentEncryptionAlgorithm, KeyManagementAlgorithm } from '@vestibule/protocol/constants';
import { compactDecrypt } from 'jose';
import { decodeJweHeader, decodeUtf8, type JoseHeader } from './compact-serialization.js';
import { JoseFailure } from './jose-failure.js';
import type { DecryptionKey, DecryptionKeySource } from './jose-keys.js';

/** Requirements on an encrypted JWT. */
export interface DecryptJwtOptions {
  /** Finds the keys, from what is known about the sender. */
  readonly keys: DecryptionKeySource;
  /** Accepted key management algorithms. */
  readonly algorithms: readonly KeyManagementAlgorithm[];
  /** Accepted content encryption algorithms. */
  readonly encryptions: readonly ContentEncryptionAlgorithm[];
  /** Maximum length of a token, in characters. */
  readonly maxLength: number;
}

/** Maximum number of keys to try for one token. */
const MAX_CANDIDATE_KEYS = 20;

/**
 * Decrypts an encrypted JWT in compact serialization and returns the token inside, which is still untrusted: anyone can
 * encrypt to a public key. Compressed content is refused. Every decryption error is the same failure, so that it
 * reveals nothing about the key.
 * @throws JoseFailure when the token is not such a JWT, for whatever reason. Errors of `keys` are passed on.
 */
export async function decryptJwt(token: string, options: DecryptJwtOptions): Promise<string> {
  const header = decodeJweHeader(token, options.maxLength);
  const enc = requireAlgorithms(header, options);
  const found = await options.keys({ alg: header.alg, enc, kid: header.kid });
  const candidates = found.filter(({ algorithm }) => algorithm === header.alg);
  if (candidates.length === 0) throw new JoseFailure('key', 'there is no key for the token');
  return decodeUtf8(await decryptWithAny(token, enc, candidates.slice(0, MAX_CANDIDATE_KEYS)));
}

function requireAlgorithms(header: JoseHeader, options: DecryptJwtOptions): ContentEncryptionAlgorithm {
  const enc = options.encryptions.find((encryption) => encryption === header.members['enc']);
  if (enc === undefined || !options.algorithms.some((algorithm) => algorithm === header.alg))
    throw new JoseFailure('algorithm', 'algorithm is not accepted');
  return enc;
}

async function decryptWithAny(
  token: string,
  encryption: ContentEncryptionAlgorithm,
  keys: readonly DecryptionKey[],
): Promise<Uint8Array> {
  for (const { algorithm, key } of keys) {
    const options = {
      keyManagementAlgorithms: [algorithm],
      contentEncryptionAlgorithms: [encryption],
      maxDecompressedLength: 0,
    };
    try {
      return (await compactDecrypt(token, key, options)).plaintext;
    } catch {
      // Do not reveal which step failed, not even in the log.
    }
  }
  throw new JoseFailure('decryption', 'token does not decrypt');
}
