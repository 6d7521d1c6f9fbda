/** A cryptographically secure source of randomness. */
export interface RandomSource {
  /** Returns unpredictable bytes; the caller owns the array. */
  bytes(length: number): Uint8Array;
}
