import type { Digester } from '@vestibule/crypto/data-keys';
import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { type CacheTag, DATA_KEYS_TAG } from '../cache/cache-tag.js';
import type { Invalidation, InvalidationStream, StreamPosition } from '../cache/invalidation-stream.js';
import { recentEvents } from './recent-events.js';
import {
  heartbeatEvent,
  invalidateEvents,
  openEvent,
  type Progress,
  type ResetReason,
  resetEvent,
} from './stream-events.js';
import { parsePosition, positionText, type WirePosition, wireEpoch } from './wire-position.js';
import { wireTags } from './wire-tags.js';

/** Receives events of the stream (server-sent events in UTF-8). All readers get the same bytes. It must not throw. */
export type TagStreamReader = (events: Uint8Array) => void;

/** The stream of changes for resource servers: which of the responses that they keep may be outdated. */
export interface TagStream {
  /**
   * The position of a response that is computed from now on: it reflects every change with a lower number. `undefined` while
   * the invalidation stream is interrupted.
   */
  position(): string | undefined;
  /**
   * Returns the names of tags for a response with this position; `undefined` if the keys of names, or the history of the database,
   * have changed since: events of that epoch need not have these names.
   */
  names(position: string, tags: readonly CacheTag[]): readonly string[] | undefined;
  /**
   * Adds a reader. It gets the time, what it may lack since its last event, or a reset, and then every event. While the invalidation
   * stream is interrupted it gets nothing.
   * @returns a function that removes it
   */
  follow(reader: TagStreamReader, lastEventId?: string): () => void;
}

/** Options of {@link tagStream}. */
export interface TagStreamOptions {
  readonly stream: InvalidationStream;
  readonly digester: Pick<Digester, 'digest' | 'availableDigests'>;
  /** Keys of another authorization server with the same issuer; when they change, readers discard everything. */
  readonly authorizationServerKeys?: Pick<OtherServerKeys, 'onChange'>;
  readonly monotonic: MonotonicClock;
}

/** Changes that are sent with the next position. */
interface Pending {
  readonly tags: Set<CacheTag>;
  /** The greatest number of a change. */
  at: bigint;
  reset: ResetReason | undefined;
}

/** What is kept for readers that continue. */
const RECENT = { maxTags: 20_000, maxAgeMs: 60_000 };

/** With a position every 100 ms, readers get an event every 200 ms. */
const HEARTBEAT_AFTER_MS = 150;

/** Creates the stream of changes of this instance. Every event is built once for all readers. */
export function tagStream(options: TagStreamOptions): TagStream {
  const { stream, digester, authorizationServerKeys, monotonic } = options;
  const wire = wireTags(digester);
  const recent = recentEvents(monotonic, RECENT);
  const readers = new Set<TagStreamReader>();
  let current: Progress | undefined;
  let history = '';
  /** The greatest number of a change that was known when the epoch began, or has been sent since. */
  let latest = 0n;
  let pending = nothingPending();
  let sentAtMs = Number.NEGATIVE_INFINITY;

  const send = (events: string) => {
    sentAtMs = monotonic();
    // Encoded once: what waits for many slow readers takes memory once.
    const bytes = Buffer.from(events);
    for (const reader of readers) reader(bytes);
  };
  const restart = (progress: Progress, reason: ResetReason, next: bigint) => {
    latest = next - 1n;
    recent.restart(latest);
    send(resetEvent(progress, { reason, at: latest }));
  };
  const sendPending = (before: Progress, after: Progress, { tags, at }: Pending) => {
    const names = [...tags].flatMap(wire.names);
    const changes = { names, at };
    if (at > latest) latest = at;
    recent.add({ before, after, changes });
    send(invalidateEvents(before, after, changes));
  };
  const advance = ({ epoch, transactionId, nextTransactionId }: StreamPosition) => {
    const timeMs = stream.watermarkMs();
    // The stream has started, and has no watermark yet.
    if (timeMs === Number.NEGATIVE_INFINITY) return;
    history = epoch;
    const position = { epoch: wireEpoch(history, wire.fingerprint()), number: transactionId };
    const [before, changes] = [current, pending];
    current = { position, timeMs };
    pending = nothingPending();
    if (before === undefined) restart(current, 'interrupted', nextTransactionId);
    else if (before.position.epoch !== position.epoch) restart(current, 'other_epoch', nextTransactionId);
    else if (changes.reset !== undefined) restart(current, changes.reset, nextTransactionId);
    else if (changes.tags.size > 0) sendPending(before, current, changes);
    else if (monotonic() - sentAtMs >= HEARTBEAT_AFTER_MS) send(heartbeatEvent(current));
  };
  const whatIsMissed = (lastEventId: string | undefined): string => {
    if (current === undefined) return '';
    if (lastEventId === undefined) return resetEvent(current, { reason: 'no_position', at: latest });
    const { position } = current;
    const last = parsePosition(lastEventId);
    const missed = last?.epoch === position.epoch ? recent.since(last.number) : undefined;
    if (last === undefined || missed === undefined)
      return resetEvent(current, { reason: 'unknown_position', at: latest });
    const events = missed.map(({ before, after, changes }) =>
      invalidateEvents(notBelow(last, before), after, changes),
    );
    // A reader that another instance has told more than this one knows gets the next position, which is not lower.
    if (last.number <= position.number) events.push(heartbeatEvent(current));
    return events.join('');
  };

  stream.subscribe({
    onStarted: () => undefined,
    onInvalidation: (invalidation) => note(pending, invalidation),
    onAdvanced: advance,
    onLost: () => {
      current = undefined;
      pending = nothingPending();
    },
  });
  authorizationServerKeys?.onChange(() => {
    pending.reset = 'keys_changed';
  });

  return {
    position: () => current && positionText(current.position),
    names: (position, tags) => {
      const isOfEpoch = parsePosition(position)?.epoch === wireEpoch(history, wire.fingerprint());
      return isOfEpoch ? tags.map(wire.name) : undefined;
    },
    follow: (reader, lastEventId) => {
      reader(Buffer.from(openEvent(monotonic()) + whatIsMissed(lastEventId)));
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

/** The position of a reader never goes back. */
function notBelow(last: WirePosition, progress: Progress): Progress {
  return progress.position.number < last.number ? { ...progress, position: last } : progress;
}

function nothingPending(): Pending {
  return { tags: new Set(), at: 0n, reset: undefined };
}

function note(pending: Pending, invalidation: Invalidation): void {
  if (invalidation.transactionId > pending.at) pending.at = invalidation.transactionId;
  if (invalidation.kind === 'everything') {
    pending.reset = 'too_many_changes';
    return;
  }
  for (const tag of tagsOf(invalidation)) {
    if (tag === DATA_KEYS_TAG) pending.reset = 'keys_changed';
    else if (pending.tags.size < RECENT.maxTags) pending.tags.add(tag);
    else pending.reset ??= 'too_many_changes';
  }
}

function tagsOf(invalidation: Exclude<Invalidation, { kind: 'everything' }>): readonly CacheTag[] {
  return invalidation.kind === 'tokens' ? invalidation.digests : invalidation.tags;
}
