import type { Digest } from '@vestibule/crypto/data-keys';
import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import type { Prisma } from './generated/client.js';

const DIGEST_BYTES = 32;

/**
 * Copies a stored digest.
 * @throws TypeError when it is not 32 bytes long
 */
export function digestOf(bytes: Uint8Array): Digest {
  if (bytes.length !== DIGEST_BYTES) throw new TypeError('a stored digest is not 32 bytes long');
  return new Uint8Array(bytes) as Uint8Array as Digest;
}

/**
 * Decodes a stored digest from base64.
 * @throws TypeError when it is not 32 bytes long
 */
export function digestFromText(text: string): Digest {
  return digestOf(Buffer.from(text, 'base64'));
}

/** Gives a JSON column the type of the values that this package writes to it. */
export function jsonOf<Value>(stored: Prisma.JsonValue): Value | null {
  return stored as Value | null;
}

/** Builds an object with one member from a column; an empty object if the column is null. */
export function member<Key extends string, Value>(
  key: Key,
  value: Value | null,
): { readonly [Name in Key]?: Value } {
  return value === null ? {} : ({ [key]: value } as Record<Key, Value>);
}

/** Converts a time that Prisma Client has read. */
export function secondsOf(time: Date): EpochSeconds {
  return epochSeconds(time.getTime() / 1000);
}

/** Converts a `time` column. */
export function instant(seconds: number): EpochSeconds;
export function instant(seconds: number | null): EpochSeconds | null;
export function instant(seconds: number | null): EpochSeconds | null {
  return seconds === null ? null : epochSeconds(seconds);
}
