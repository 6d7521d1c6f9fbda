import type { RandomSource } from '../random-source.js';

/** A reproducible byte stream (xorshift32) instead of randomness: equal seeds give equal bytes. Never secure. */
export function seededRandom(seed = 1): RandomSource {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state & 0xff;
  };
  return { bytes: (length) => Uint8Array.from({ length }, next) };
}
