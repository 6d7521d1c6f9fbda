import { positionText, type WirePosition } from './wire-position.js';

/** Why a reader has to discard everything. */
export type ResetReason =
  /** The reader told no position. */
  | 'no_position'
  /** The position of the reader is of another epoch, or older than what is kept. */
  | 'unknown_position'
  /** Events may have been missed. */
  | 'interrupted'
  /** The history of the database or the set of keys is another one. */
  | 'other_epoch'
  /** The keys of tags, or of the authorization server that signs tokens, have changed. */
  | 'keys_changed'
  /** More has changed than can be named. */
  | 'too_many_changes';

/** Largest number of tags in one event. */
export const TAGS_PER_EVENT = 500;

/** What every event but the first says about the stream. */
export interface Progress {
  readonly position: WirePosition;
  /** When everything below the position was known to have been committed, in milliseconds of this process's monotonic clock. */
  readonly timeMs: number;
}

/** Builds the first event of a connection, with the time on the clock of the later ones. */
export function openEvent(timeMs: number): string {
  return `event: open\ndata: ${JSON.stringify({ time: wholeMs(timeMs) })}\n\n`;
}

/**
 * Builds the event after which a reader discards everything that it keeps. Only responses with a position above `at` are
 * known to reflect every earlier change.
 */
export function resetEvent(
  progress: Progress,
  { reason, at }: { readonly reason: ResetReason; readonly at: bigint },
): string {
  return eventText('reset', progress, { reason, at: String(at) });
}

/** Builds the event that says that nothing is missing below its position. */
export function heartbeatEvent(progress: Progress): string {
  return eventText('heartbeat', progress, {});
}

/** Changes of one position, by the names of their tags. */
export interface NamedChanges {
  readonly names: readonly string[];
  /** The greatest number of a change. */
  readonly at: bigint;
}

/** Builds the events for changes. Only the last one has the new position, so that a reader that lacks it gets all again. */
export function invalidateEvents(before: Progress, after: Progress, { names, at }: NamedChanges): string {
  let text = '';
  for (let start = 0; start < names.length; start += TAGS_PER_EVENT) {
    const end = start + TAGS_PER_EVENT;
    const tags = names.slice(start, end);
    text += eventText('invalidate', end < names.length ? before : after, { tags, at: String(at) });
  }
  return text;
}

function eventText(event: string, { position, timeMs }: Progress, data: object): string {
  const json = JSON.stringify({ ...data, time: wholeMs(timeMs) });
  return `event: ${event}\nid: ${positionText(position)}\ndata: ${json}\n\n`;
}

function wholeMs(timeMs: number): number {
  return Math.floor(timeMs);
}
