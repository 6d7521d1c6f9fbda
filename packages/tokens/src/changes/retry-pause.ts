import type { RandomSource } from '@vestibule/protocol';

const BASE_MS = 500;
const LONGEST_MS = 30_000;

/**
 * Time before a failed read is tried again, in milliseconds: random between half of a limit and the limit, which doubles
 * with each failure in a row, up to 30 seconds. So processes that failed together do not read together.
 */
export function retryPauseMs(failures: number, random: RandomSource): number {
  const limitMs = Math.min(LONGEST_MS, BASE_MS * 2 ** Math.min(failures, 10));
  const fraction = Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  return Math.ceil((limitMs * (1 + fraction)) / 2);
}
