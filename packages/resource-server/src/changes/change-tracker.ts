import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { ChangeEvent } from './change-event.js';
import type { Freshness } from './freshness.js';
import { type RecentInvalidations, recentInvalidations } from './recent-invalidations.js';
import type { StreamPosition } from './stream-position.js';

/** What has been received of the stream of changes, over all connections. */
export interface ChangeTracker extends Omit<Freshness, 'changes' | 'close'> {
  /** Begins a connection whose request is sent now. */
  connected(): void;
  /**
   * Applies an event.
   * @returns `false` if it contradicts what was received before: everything is discarded, and the connection must be ended
   */
  apply(event: ChangeEvent): boolean;
  /** Discards everything, and forgets the position. */
  discard(): void;
  /** Value for `Last-Event-ID`; `undefined` if the stream must begin anew. */
  lastEventId(): string | undefined;
  /** The watermark: latest monotonic time at which no event was missing; `-Infinity` before the first event. */
  watermarkMs(): number;
  /** Whether the watermark is young enough for the use of cached responses. */
  isFresh(): boolean;
  /** How often everything was discarded. */
  discards(): number;
}

/** Ages of the watermark in milliseconds from which cached responses are not used, and are no fallback. */
const MAX_WATERMARK_AGE_MS = 1_000;
const MAX_FALLBACK_AGE_MS = 5_000;

/** Tags that each half of the record of events holds. */
const CAPACITY = 20_000;

/**
 * Creates a tracker without a position. Cached responses are used while the watermark is less than a second old:
 * it comes from the times that the server sends, or, without these, from the arrival of events.
 */
export function changeTracker(monotonic: MonotonicClock): ChangeTracker {
  const recent: RecentInvalidations = recentInvalidations(CAPACITY);
  const listeners: (() => void)[] = [];
  let position: StreamPosition | undefined;
  let watermarkMs = Number.NEGATIVE_INFINITY;
  let discards = 0;
  let sentAtMs = 0;
  /** The clock of the server when it accepted the connection. */
  let openedAtMs: number | undefined;

  const forgetResponses = () => {
    discards += 1;
    for (const listener of listeners) listener();
  };
  const discard = () => {
    position = undefined;
    watermarkMs = Number.NEGATIVE_INFINITY;
    recent.end();
    forgetResponses();
  };
  /** The server accepted the connection after its request was sent, so its times are not later than this. */
  const advance = (timeMs: number | undefined) => {
    const nowMs = monotonic();
    const atMs =
      timeMs === undefined || openedAtMs === undefined
        ? nowMs
        : Math.min(sentAtMs + timeMs - openedAtMs, nowMs);
    if (atMs > watermarkMs) watermarkMs = atMs;
  };
  const refuse = (): false => {
    discard();
    return false;
  };
  const applyChange = (event: Exclude<ChangeEvent, { kind: 'open' | 'unknown' }>): boolean => {
    if (event.kind === 'reset') {
      forgetResponses();
      position = event.position;
      watermarkMs = Number.NEGATIVE_INFINITY;
      recent.restart(position.epoch, event.at);
      advance(event.timeMs);
      return true;
    }
    if (position === undefined || event.position.epoch !== position.epoch) return refuse();
    const isBehind = event.position.number < position.number;
    // A part of a longer event has the position before it, which another instance may have passed already.
    if (event.kind === 'invalidate') recent.record(event.tags, event.at);
    else if (isBehind) return refuse();
    const isPart = event.kind === 'invalidate' && event.position.number <= position.number;
    if (!isBehind) position = event.position;
    // The arrival of a part does not advance the watermark: the other parts are missing.
    if (event.timeMs !== undefined || !isPart) advance(event.timeMs);
    return true;
  };
  const isFreshAt = (nowMs: number) => nowMs - watermarkMs < MAX_WATERMARK_AGE_MS;
  return {
    connected: () => {
      sentAtMs = monotonic();
      openedAtMs = undefined;
    },
    apply: (event) => {
      if (event.kind === 'unknown') return true;
      if (event.kind !== 'open') return applyChange(event);
      openedAtMs = event.timeMs;
      return true;
    },
    discard,
    lastEventId: () => position && `${position.epoch}.${position.number}`,
    watermarkMs: () => watermarkMs,
    isFresh: () => isFreshAt(monotonic()),
    discards: () => discards,
    maxAgeMs: Number.POSITIVE_INFINITY,
    endedForMs: MAX_WATERMARK_AGE_MS,
    isKeepable: recent.isIntact,
    isCurrent: (response, nowMs) => isFreshAt(nowMs) && recent.isIntact(response),
    isFallback: (response, nowMs) => nowMs - watermarkMs < MAX_FALLBACK_AGE_MS && recent.isIntact(response),
    onDiscard: (listener) => {
      listeners.push(listener);
    },
  };
}
