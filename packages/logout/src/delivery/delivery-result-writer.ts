import { coalescedRuns } from '@vestibule/protocol';
import type { Scheduler } from '@vestibule/protocol/runtime';
import type { DeliveryOutbox } from './delivery-outbox.js';
import type { DeliveryResult } from './logout-delivery.js';

/** Options of {@link deliveryResultWriter}. */
export interface DeliveryResultWriterOptions {
  readonly outbox: Pick<DeliveryOutbox, 'settle'>;
  /** Number of tries; after that the lease ends and another process delivers again. */
  readonly tries: number;
  readonly pauseMs: number;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Called for every failed try, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Writes results to the outbox; results that arrive while a write is under way are written together. Resolves when the
 * result is stored, or when all tries have failed.
 */
export function deliveryResultWriter({
  outbox,
  tries,
  pauseMs,
  scheduler,
  onProblem,
}: DeliveryResultWriterOptions) {
  let waiting: DeliveryResult[] = [];
  const flush = coalescedRuns(async () => {
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
