import type { Logger } from './logger.js';

/** What a lasting fault is logged as. */
export interface LastingFaultOptions {
  readonly logger: Logger;
  readonly dependency: string;
  readonly sentence: string;
  /** How long nothing may fail until the fault counts as over. Default 5,000. */
  readonly quietMs?: number;
}

/**
 * Logs a fault that is met again and again with one line when it begins and one when it is over, with how often it was
 * met, however many attempts fail between.
 * @returns to be called for each failed attempt
 */
export function lastingFault({
  logger,
  dependency,
  sentence,
  quietMs = 5_000,
}: LastingFaultOptions): (error: unknown) => void {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const over = () => {
    logger.info({ dependency, count }, `recovered: ${sentence}`);
    count = 0;
    timer = undefined;
  };
  return (error) => {
    count += 1;
    if (timer !== undefined) {
      timer.refresh();
      return;
    }
    logger.warn({ error, dependency }, sentence);
    timer = setTimeout(over, quietMs);
    timer.unref();
  };
}
