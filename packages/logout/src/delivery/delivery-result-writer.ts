import { sharedRuns } from '@vestibule/protocol';
import type { Scheduler } from '@vestibule/tokens';
import type { DeliveryOutbox } from './delivery-outbox.js';
import type { DeliveryResult } from './logout-delivery.js';

/** What keeping results takes. */
export interface DeliveryResultWriterOptions {
  readonly outbox: Pick<DeliveryOutbox, 'settle'>;
  /** How often it is tried; after that the lease ends and someone else delivers again. */
  readonly tries: number;
  readonly pauseMs: number;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Told of every try that failed; for the log. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Keeps results in the outbox, those that come while it is busy together. Resolves when the result is kept, or when it
 * could not be.
 */
export function deliveryResultWriter({
  outbox,
  tries,
  pauseMs,
  scheduler,
  onProblem,
}: DeliveryResultWriterOptions) {
  let waiting: DeliveryResult[] = [];
  const flush = sharedRuns(async () => {
    const batch = waiting;
    waiting = [];
    for (let left = tries; left > 0; left -= 1) {
      try {
        return await outbox.settle(batch);
      } catch (error) {
        onProblem(error);
        await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
      }
    }
  });
  return (result: DeliveryResult): Promise<void> => {
    waiting.push(result);
    return flush.next();
  };
}
