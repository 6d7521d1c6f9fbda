import type { Logger } from '@vestibule/http/observability';

/** Options of {@link lastingFault}. */
export interface LastingFaultOptions {
  readonly logger: Logger;
  readonly dependency: string;
  readonly sentence: string;
  /** Time without a failure after which the fault counts as over, in milliseconds. Default 5,000. */
  readonly quietMs?: number;
}

/**
 * Logs a repeated fault with one line when it begins and one when it is over, which includes the number of failures.
 * @returns a function to call for each failed attempt
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
