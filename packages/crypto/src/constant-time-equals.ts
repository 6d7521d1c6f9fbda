import { timingSafeEqual } from 'node:crypto';

/** Compares two byte strings in a time that depends only on their lengths. Unequal lengths are never equal. */
export function constantTimeEquals(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
