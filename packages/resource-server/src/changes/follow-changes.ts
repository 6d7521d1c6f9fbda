import type { IncomingMessage } from 'node:http';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { type HttpClient, mediaType } from '../http/http-client.js';
import { EVENT_LIMITS, parseChangeEvent } from './change-event.js';
import type { ChangeTracker } from './change-tracker.js';
import { EventStreamError, eventStreamParser, type StreamEvent } from './event-stream-parser.js';

/** The request for the stream. */
export interface StreamRequest {
  readonly url: URL;
  readonly authorization?: string;
}

/** Dependencies of {@link followChanges}. */
export interface FollowChangesDeps {
  readonly http: HttpClient;
  readonly tracker: ChangeTracker;
  /** Authenticates as for introspection. `isRefused` says that the last request was refused with 401. */
  readonly request: (isRefused: boolean) => Promise<StreamRequest>;
  readonly monotonic: MonotonicClock;
  readonly timeoutMs: number;
  /** Called with a sentence for operators after each failure. */
  readonly onProblem: (message: string) => void;
}

/** A stream of changes that is followed until it is closed. */
export interface FollowedChanges {
  /** Whether the stream is open. */
  isConnected(): boolean;
  /** Number of connections so far. */
  connections(): number;
  close(): void;
}

/**
 * A connection is given up when, for this time in milliseconds, nothing arrived that left the watermark recent enough for
 * the use of cached responses.
 */
const STALLED_MS = 2_000;
/** Longest pause before the first attempt after a connection, and after failures, in milliseconds. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Why a connection ended. */
class StreamFailure extends Error {
  override readonly name = 'StreamFailure';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Follows the stream of changes, and connects again whenever it ends. */
export function followChanges(deps: FollowChangesDeps): FollowedChanges {
  const { http, tracker, monotonic } = deps;
  const closed = new AbortController();
  let isConnected = false;
  let isRefused = false;
  let connections = 0;
  /** Failures in a row. */
  let failures = 0;
  let wake = () => {};

  const open = async (): Promise<IncomingMessage> => {
    const { url, authorization } = await deps.request(isRefused);
    const lastEventId = tracker.lastEventId();
    tracker.connected();
    const headers = {
      Accept: 'text/event-stream',
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const request = { method: 'GET', url, headers, timeoutMs: deps.timeoutMs, maxBytes: 0 } as const;
    const response = await http.open({ ...request, isOnNewConnection: true }, closed.signal);
    isRefused = response.statusCode === 401;
    const isStream = mediaType(response.headers['content-type']) === 'text/event-stream';
    if (response.statusCode === 200 && isStream) return response;
    response.destroy();
    throw new StreamFailure(
      `the stream of changes responded with ${response.statusCode}`,
      retryAfterMs(response),
    );
  };

  /** Applies an event, and returns whether it is one that a stream has from its first heartbeat on. */
  const apply = (event: StreamEvent): boolean => {
    const change = parseChangeEvent(event);
    if (change === undefined) throw new EventStreamError('an event is malformed');
    if (!tracker.apply(change)) throw new StreamFailure('the stream of changes went backwards');
    return change.kind === 'heartbeat' || change.kind === 'invalidate';
  };

  const read = async (response: IncomingMessage): Promise<void> => {
    const parser = eventStreamParser(EVENT_LIMITS);
    let freshAtMs = monotonic();
    let isUnderWay = false;
    const watchdog = setInterval(() => {
      if (monotonic() - freshAtMs > STALLED_MS)
        response.destroy(new StreamFailure('the stream of changes has stalled'));
    }, STALLED_MS / 4);
    try {
      for await (const bytes of response) {
        for (const event of parser.push(bytes)) {
          if (!apply(event)) continue;
          isUnderWay = true;
          failures = 0;
        }
        if (tracker.isFresh()) freshAtMs = monotonic();
      }
    } finally {
      clearInterval(watchdog);
    }
    if (!isUnderWay) throw new StreamFailure('the stream of changes ended before its first heartbeat');
  };

  const connectOnce = async (): Promise<number> => {
    try {
      connections += 1;
      const response = await open();
      isConnected = true;
      await read(response);
      return 0;
    } catch (error) {
      if (closed.signal.aborted) return 0;
      // What was not understood may have been an event about anything.
      if (error instanceof EventStreamError) tracker.discard();
      failures += 1;
      deps.onProblem(problemOf(error));
      return error instanceof StreamFailure ? error.retryAfterMs : 0;
    } finally {
      isConnected = false;
    }
  };

  const pause = (atLeastMs: number) =>
    new Promise<void>((resolve) => {
      const longestMs = Math.min(SHORTEST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
      const timer = setTimeout(resolve, atLeastMs + longestMs * Math.random());
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async () => {
    while (!closed.signal.aborted) {
      const atLeastMs = await connectOnce();
      if (!closed.signal.aborted) await pause(atLeastMs);
    }
  };
  void run();

  return {
    isConnected: () => isConnected,
    connections: () => connections,
    close: () => {
      closed.abort();
      wake();
    },
  };
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = /^\d{1,4}$/.exec(headers['retry-after'] ?? '')?.[0];
  return Math.min(Number(seconds ?? 0) * 1_000, 60_000);
}

/** Quotes nothing that was received. */
function problemOf(error: unknown): string {
  if (error instanceof StreamFailure) return error.message;
  if (error instanceof EventStreamError) return `the stream of changes cannot be read: ${error.message}`;
  return 'the stream of changes is interrupted';
}
