import { timingSafeEqual } from 'node:crypto';

/**
 * Whether two byte strings are equal, in a time that depends on their lengths alone. Unequal lengths are never equal.
 */
export function constantTimeEquals(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
