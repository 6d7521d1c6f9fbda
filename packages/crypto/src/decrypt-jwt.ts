import type { ContentEncryptionAlgorithm, KeyManagementAlgorithm } from '@vestibule/protocol';
import { compactDecrypt } from 'jose';
import { decodeJweHeader, decodeUtf8, type JoseHeader } from './compact-serialization.js';
import { JoseFailure } from './jose-failure.js';
import type { DecryptionKey, DecryptionKeySource } from './jose-keys.js';

/** What an encrypted JWT has to be. */
export interface DecryptJwtOptions {
  /** Finds the keys, from what is known of the sender. */
  readonly keys: DecryptionKeySource;
  /** The key management algorithms that may be used. */
  readonly algorithms: readonly KeyManagementAlgorithm[];
  /** The content encryption algorithms that may be used. */
  readonly encryptions: readonly ContentEncryptionAlgorithm[];
  /** The longest token, in characters. */
  readonly maxLength: number;
}

/** The most keys that one token is tried with. */
const MAX_CANDIDATE_KEYS = 20;

/**
 * Decrypts an encrypted JWT in compact serialization, and gives the token inside, which is as untrusted as before:
 * anyone can encrypt to a public key. Compressed content is refused unread. Everything that goes wrong in decrypting
 * is one failure, so that it tells nothing of the key.
 * @throws JoseFailure when the token is not such a JWT, for whatever reason. What `keys` throws is passed on.
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
      // Which step failed must not show, in the log neither.
    }
  }
  throw new JoseFailure('decryption', 'token does not decrypt');
}
