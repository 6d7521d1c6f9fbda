import type { ChangeNotices } from '@vestibule/tokens/changes';
import { openNotices } from '../stream/notices.js';

/** The channel that the trigger of the log notifies. */
const CHANGE_CHANNEL = 'vestibule_change';

/** Notices of new changes, until they are closed. */
export interface OpenChangeNotices extends ChangeNotices {
  close(): void;
}

/** Options of {@link openChangeNotices}. */
export interface ChangeNoticesOptions {
  /** Called with the reason when listening fails, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** Listens for new changes, and reconnects until it is closed. */
export function openChangeNotices(
  connection: { readonly url: string; readonly applicationName: string },
  { onProblem }: ChangeNoticesOptions,
): OpenChangeNotices {
  const waiting = new Set<() => void>();
  let count = 0;
  let starts = 0;
  const notices = openNotices({
    ...connection,
    channel: CHANGE_CHANNEL,
    onStart: () => {
      starts += 1;
    },
    onNotice: () => {
      count += 1;
      for (const wake of waiting) wake();
    },
    onProblem,
  });
  return {
    count: () => count,
    starts: () => starts,
    after: (seen, withinMs, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, withinMs);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted || count !== seen) wake();
      }),
    close: notices.close,
  };
}
