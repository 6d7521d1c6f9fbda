import { type Clock, ThrottledError } from '@vestibule/protocol';
import {
  type Change,
  type ChangeLog,
  type ChangeNotices,
  type ChangeStart,
  changeEvent,
  followChanges,
} from '@vestibule/tokens/changes';

/** Notices that are listened for until they are closed. */
export interface ClosableNotices extends ChangeNotices {
  close(): void;
}

/** Options of {@link changeStreams}. */
export interface ChangeStreamsOptions {
  readonly log: ChangeLog;
  /** Starts to listen for changes. */
  readonly openNotices: () => ClosableNotices;
  readonly clock: Clock;
  /** Called for each failed read, for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Maximum number of open streams. Default 32. */
  readonly maxStreams?: number;
  /** Time without an event after which a heartbeat is sent, in milliseconds. Default 10,000. */
  readonly heartbeatMs?: number;
}

/** The streams of changes that this process serves. */
export interface ChangeStreams {
  /**
   * Opens a stream: its parts as text, until the signal is aborted.
   * @throws ThrottledError if there are too many
   */
  open(start: ChangeStart, signal: AbortSignal): Promise<AsyncGenerator<string, void>>;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams, and refuses further ones. */
  end(): void;
}

const MAX_STREAMS = 32;
const HEARTBEAT_MS = 10_000;
/** What a refused reader waits before it tries again, in seconds. */
const BUSY_SECONDS = 5;
/** Time after which readers connect again, in milliseconds. */
const RECONNECT_MS = 2_000;

/** Serves streams of changes. It listens for changes while there are streams. */
export function changeStreams(options: ChangeStreamsOptions): ChangeStreams {
  const { log, openNotices, clock, onProblem } = options;
  const { maxStreams = MAX_STREAMS, heartbeatMs = HEARTBEAT_MS } = options;
  const open = new Set<AbortController>();
  let notices: ClosableNotices | undefined;
  let hasEnded = false;

  const enter = (signal: AbortSignal): AbortController => {
    if (hasEnded || open.size >= maxStreams)
      throw new ThrottledError(BUSY_SECONDS, hasEnded ? 'the service stops' : 'too many streams of changes');
    const own = new AbortController();
    open.add(own);
    // Even if nothing was read from it yet.
    own.signal.addEventListener('abort', () => leave(own), { once: true });
    signal.addEventListener('abort', () => own.abort(), { once: true });
    if (signal.aborted) own.abort();
    return own;
  };
  const leave = (own: AbortController) => {
    open.delete(own);
    if (open.size > 0) return;
    notices?.close();
    notices = undefined;
  };
  async function* textsOf(changes: AsyncGenerator<readonly Change[], void>, own: AbortController) {
    try {
      yield `retry: ${RECONNECT_MS}\n\n`;
      for await (const list of changes) yield list.length === 0 ? ':\n\n' : list.map(eventText).join('');
    } finally {
      leave(own);
    }
  }
  return {
    open: async (start, signal) => {
      const own = enter(signal);
      try {
        notices ??= openNotices();
        const deps = { log, notices, clock, onProblem, idleMs: heartbeatMs };
        return textsOf(await followChanges(deps, start, own.signal), own);
      } catch (error) {
        leave(own);
        throw error;
      }
    },
    count: () => open.size,
    end: () => {
      hasEnded = true;
      for (const own of open) own.abort();
    },
  };
}

/** Formats an event (HTML Living Standard, section 9.2.5). JSON text has no line breaks. */
function eventText(change: Change): string {
  return `id: ${change.id}\nevent: ${change.type}\ndata: ${JSON.stringify(changeEvent(change))}\n\n`;
}
