import { ThrottledError } from '@vestibule/protocol';
import { type Change, type ChangeStart, changeEvent, type FollowChanges } from '@vestibule/tokens/changes';

/** Options of {@link changeStreams}. */
export interface ChangeStreamsOptions {
  readonly follow: FollowChanges;
  /** Maximum number of open streams. Default 32. */
  readonly maxStreams?: number;
}

/** The streams of changes that this process serves. */
export interface ChangeStreams {
  /**
   * Opens a stream: its parts as text, until the signal is aborted.
   * @throws ThrottledError if there are too many
   */
  open(start: ChangeStart, signal: AbortSignal): AsyncGenerator<string, void>;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams, and refuses further ones. */
  end(): void;
}

const MAX_STREAMS = 32;
/** What a refused reader waits before it tries again, in seconds. */
const BUSY_SECONDS = 5;
/** Time after which readers connect again, in milliseconds. */
const RECONNECT_MS = 2_000;

/** Serves streams of changes. */
export function changeStreams({ follow, maxStreams = MAX_STREAMS }: ChangeStreamsOptions): ChangeStreams {
  const open = new Set<AbortController>();
  let hasEnded = false;

  const enter = (signal: AbortSignal): AbortController => {
    if (hasEnded || open.size >= maxStreams)
      throw new ThrottledError(BUSY_SECONDS, hasEnded ? 'the service stops' : 'too many streams of changes');
    const own = new AbortController();
    open.add(own);
    // Even if nothing was read from it yet.
    own.signal.addEventListener('abort', () => open.delete(own), { once: true });
    signal.addEventListener('abort', () => own.abort(), { once: true });
    if (signal.aborted) own.abort();
    return own;
  };
  async function* textsOf(start: ChangeStart, own: AbortController) {
    try {
      // Before anything is found, so that the reader knows that it is connected.
      yield `retry: ${RECONNECT_MS}\n\n`;
      for await (const list of follow(start, own.signal))
        yield list.length === 0 ? ':\n\n' : list.map(eventText).join('');
    } finally {
      open.delete(own);
    }
  }
  return {
    open: (start, signal) => textsOf(start, enter(signal)),
    count: () => open.size,
    end: () => {
      hasEnded = true;
      for (const own of open) own.abort();
    },
  };
}

/** The texts of changes, which streams share. */
const texts = new WeakMap<Change, string>();

/** Formats an event (HTML Living Standard, section 9.2.5). JSON text has no line breaks. */
function eventText(change: Change): string {
  const known = texts.get(change);
  if (known !== undefined) return known;
  const text = `id: ${change.id}\nevent: ${change.type}\ndata: ${JSON.stringify(changeEvent(change))}\n\n`;
  texts.set(change, text);
  return text;
}
