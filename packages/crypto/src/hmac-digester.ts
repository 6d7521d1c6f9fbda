import { createHmac, type KeyObject } from 'node:crypto';
import { constantTimeEquals } from './constant-time-equals.js';
import type { Digest, Digester, DigestKind } from './digester.js';

/** The digest keys in use, the current one first. */
export type DigestKeys = readonly [KeyObject, ...KeyObject[]];

/**
 * Creates a digester over HMAC-SHA-256(key, kind, NUL, value). `currentKeys` is called each time, so that keys can
 * rotate.
 */
export function hmacDigester(currentKeys: () => DigestKeys): Omit<Digester, 'hasEveryKey'> {
  const candidates = (kind: DigestKind, value: string): readonly [Digest, ...Digest[]] => {
    const [current, ...others] = currentKeys();
    return [digestUnder(current, kind, value), ...others.map((key) => digestUnder(key, kind, value))];
  };
  return {
    digest: (kind, value) => digestUnder(currentKeys()[0], kind, value),
    candidates,
    matches: (kind, value, stored) => {
      // Compare every candidate, so that the time does not reveal the key of the stored digest.
      const equal = candidates(kind, value).map((candidate) => constantTimeEquals(candidate, stored));
      return equal.includes(true);
    },
  };
}

function digestUnder(key: KeyObject, kind: DigestKind, value: string): Digest {
  // A value that is not a string must never become part of a look-up.
  if (typeof value !== 'string') throw new TypeError('only a string has a digest');
  // As a string: for a buffer Node allocates external memory, which costs as much as the rest.
  const text = createHmac('sha256', key).update(`${kind}\0${value}`).digest('binary');
  const digest: Uint8Array = Buffer.from(text, 'binary');
  return digest as Digest;
}
