import { type DestinationStream, pino } from 'pino';
import type { Logger } from './logger.js';

const STANDARD_OUTPUT = 1;
/** Lines are written together when there are so many of them, */
const BATCH_BYTES = 12_288;
/** and at the latest so long after they were logged. */
const BATCH_MS = 200;
/** How much may wait for a device that does not take it; what comes then is lost. */
const MAX_WAITING_BYTES = 1_048_576;

/** Where lines are written. */
export interface LogOutputOptions {
  /** Standard output by default. */
  readonly descriptor?: number;
  /** Told how many lines were lost, as soon as there is room for a line that says so. */
  readonly onLoss: (count: number) => void;
}

/**
 * Writes lines in batches, off the path of requests: a device that stalls, is full or is gone costs lines and never
 * holds up a request. What waits when the process ends is written then, and with every line of the level `fatal`.
 */
export function logOutput({ descriptor = STANDARD_OUTPUT, onLoss }: LogOutputOptions): DestinationStream {
  const output = pino.destination({
    dest: descriptor,
    sync: false,
    minLength: BATCH_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: BATCH_MS,
  });
  let lost = 0;
  output.on('drop', () => {
    lost += 1;
  });
  output.on('drain', () => {
    const count = lost;
    lost = 0;
    if (count > 0) onLoss(count);
  });
  // What failed is written again with the next batch, and there is no other place to complain.
  output.on('error', () => undefined);
  return output;
}

/** Waits until the lines so far have been written. @returns whether they were within the limit */
export function flushLog(logger: Logger, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, limitMs, false);
    logger.flush(() => {
      clearTimeout(late);
      resolve(true);
    });
  });
}
