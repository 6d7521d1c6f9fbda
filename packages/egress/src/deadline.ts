import { setMaxListeners } from 'node:events';
import { afterPendingInput } from '@vestibule/protocol/runtime';
import { EgressFault } from './egress-fault.js';

/** The deadline of a request, whose signal aborts with an {@link EgressFault} as the reason. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the timer; the signal stays as it is. */
  close(): void;
}

/**
 * Aborts after `ms` milliseconds with `timeout`, or with `aborted` as soon as the caller's own signal aborts. What arrived
 * while this process was busy is in time; what arrives later does not extend the deadline.
 *
 * Not `AbortSignal.any` with `AbortSignal.timeout`: their timers and listeners could not be removed when a request ends, and
 * would stay in memory with a signal that lives as long as the process.
 */
export function openDeadline(ms: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const onCallerAbort = () => controller.abort(new EgressFault('aborted'));
  if (callerSignal?.aborted) onCallerAbort();
  // One signal, such as that of a whole process, may end any number of requests; Node.js would warn of a leak.
  if (callerSignal !== undefined) setMaxListeners(0, callerSignal);
  callerSignal?.addEventListener('abort', onCallerAbort, { once: true });
  const cancel = afterPendingInput(ms, () => controller.abort(new EgressFault('timeout')));
  return {
    signal: controller.signal,
    close: () => {
      cancel();
      callerSignal?.removeEventListener('abort', onCallerAbort);
    },
  };
}

/**
 * Settles like `work`, or rejects with the signal's reason, whichever comes first, even if the work ignores the signal.
 */
export function withinSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = () => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).then(settle, settle);
  });
}
