import { type DestinationStream, type Logger, pino } from 'pino';

const STANDARD_OUTPUT = 1;
/** Size at which a batch of lines is written, */
const BATCH_BYTES = 12_288;
/** and the maximum delay before a line is written. */
const BATCH_MS = 200;
/** Maximum size of waiting lines when the output stalls; further lines are lost. */
const MAX_WAITING_BYTES = 1_048_576;

/** Options of {@link logOutput}. */
export interface LogOutputOptions {
  /** Standard output by default. */
  readonly descriptor?: number;
  /** Called with the number of lost lines as soon as a line can be written again. */
  readonly onLoss: (count: number) => void;
}

/**
 * Writes log lines in batches outside the request path. A device that stalls, is full or has gone away costs lines, but
 * never blocks a request. Waiting lines are flushed when the process exits and with every line of level `fatal`.
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
  // A failed write is repeated with the next batch, and there is nowhere else to report it.
  output.on('error', () => undefined);
  return output;
}

/** A stall of this process costs one part of the limit at most: what was written meanwhile is only noticed after it. */
const PARTS = 10;

/**
 * Waits until all lines so far are written.
 * @param limitMs time that the device has for it; a stall of this process does not count
 * @returns whether this happened within the limit
 */
export function flushLog(logger: Pick<Logger, 'flush'>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let parts = 0;
    const end = (isFlushed: boolean) => {
      clearInterval(timer);
      resolve(isFlushed);
    };
    const timer = setInterval(() => {
      parts += 1;
      if (parts === PARTS) end(false);
    }, limitMs / PARTS);
    logger.flush(() => end(true));
  });
}
