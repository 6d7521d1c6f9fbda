import type { Digest } from '@vestibule/crypto';
import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';

const DIGEST_BYTES = 32;

/**
 * A stored digest, in memory of its own.
 * @throws TypeError when it is not 32 bytes long.
 */
export function digestOf(bytes: Uint8Array): Digest {
  if (bytes.length !== DIGEST_BYTES) throw new TypeError('a stored digest has another length');
  return new Uint8Array(bytes) as Uint8Array as Digest;
}

/**
 * A stored digest in base64.
 * @throws TypeError when it is not 32 bytes long.
 */
export function digestFromText(text: string): Digest {
  return digestOf(Buffer.from(text, 'base64'));
}

/** The member of an object that a column stands for; none where the column is null. */
export function member<Key extends string, Value>(
  key: Key,
  value: Value | null,
): { readonly [Name in Key]?: Value } {
  return value === null ? {} : ({ [key]: value } as Record<Key, Value>);
}

/** The instant of a `time` column. */
export function instant(seconds: number): EpochSeconds;
export function instant(seconds: number | null): EpochSeconds | null;
export function instant(seconds: number | null): EpochSeconds | null {
  return seconds === null ? null : epochSeconds(seconds);
}
