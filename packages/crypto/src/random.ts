import { randomBytes, randomFillSync } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The largest multiple of the alphabet's size within a byte: higher bytes would favor the first letters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** 22 characters of 62 have 130 bits. */
const KEY_ID_LENGTH = 22;

/** Bytes to draw at a time: a draw costs about the same for a few bytes as for thousands. */
const POOL_BYTES = 4096;

/** Cryptographically secure randomness, drawn in advance; bytes are wiped from the pool when they are handed out. */
export const secureRandom: RandomSource = { bytes: pooledBytes(new Uint8Array(POOL_BYTES)) };

/**
 * Returns a random string of A–Z, a–z and 0–9, each equally likely: 5.95 bits of entropy per character.
 * @throws RangeError when the length is not a whole number from 1 to 1,024.
 */
export function randomAlphanumeric(length: number, source: RandomSource = secureRandom): string {
  if (!Number.isInteger(length) || length < 1 || length > 1024)
    throw new RangeError('length must be 1 to 1024');
  let text = '';
  while (text.length < length) text += unbiasedLetters(source.bytes(length - text.length + 8));
  return text.slice(0, length);
}

/** Generates a key identifier. */
export function randomKeyId(source: RandomSource = secureRandom): string {
  return randomAlphanumeric(KEY_ID_LENGTH, source);
}

function pooledBytes(pool: Uint8Array): RandomSource['bytes'] {
  let used = pool.length;
  return (length) => {
    if (!(length >= 0 && length <= pool.length)) return randomBytes(length);
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  };
}

function unbiasedLetters(bytes: Uint8Array): string {
  let letters = '';
  for (const byte of bytes) if (byte < UNBIASED_BELOW) letters += ALPHABET[byte % ALPHABET.length];
  return letters;
}
