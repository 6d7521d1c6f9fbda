import { randomBytes } from 'node:crypto';
import { coalescedRuns } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { InvalidationStream, RevocationListener } from '@vestibule/tokens/cache';
import type { RunStatement, Statement } from '../statement.js';
import { heartbeats } from './heartbeats.js';
import { parseInvalidation, STATE_CHANNEL } from './invalidation.js';
import { type ListeningConnection, listenTo } from './listening-connection.js';

/** Options of an invalidation stream. */
export interface InvalidationStreamOptions {
  readonly monotonic: MonotonicClock;
  /** Called with the reason when the stream is interrupted, for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Interval of the heartbeats that advance the watermark, in milliseconds. Default 250. */
  readonly heartbeatMs?: number;
  /** Number of missed heartbeats in a row after which the connection is closed. Default 8. */
  readonly missedBeats?: number;
}

/** An invalidation stream with a connection of its own. */
export interface OpenInvalidationStream extends InvalidationStream {
  /** Sends an event that covers everything, and reconnects, because the server was replaced. */
  discard(): void;
  close(): void;
}

/** The connection string for listening, and the pool for sending heartbeats. */
export interface StreamConnection {
  readonly url: string;
  readonly applicationName: string;
  readonly run: RunStatement;
}

/** By hand, because it runs several times a second and reads no table. */
const NOTIFY: Statement = {
  name: 'invalidation-heartbeat',
  text: 'SELECT pg_notify($1, $2)',
  repeatable: true,
};
const HEARTBEAT_MS = 250;
const MISSED_BEATS = 8;
const RECONNECT_MS = 250;
const CATCH_UP_MS = 1_000;

/**
 * Opens an invalidation stream, and reconnects until it is closed. Heartbeats are sent over the pool that reads and
 * writes and received on the listening connection, which proves that both are connected to the same server.
 */
export function openInvalidationStream(
  { url, applicationName, run }: StreamConnection,
  options: InvalidationStreamOptions,
): OpenInvalidationStream {
  const { monotonic, onProblem, heartbeatMs = HEARTBEAT_MS, missedBeats = MISSED_BEATS } = options;
  const ownChannel = `vestibule_beat_${randomBytes(12).toString('hex')}`;
  const beats = heartbeats({ monotonic, send: (id) => run(NOTIFY, [ownChannel, id]) });
  const listeners: RevocationListener[] = [];
  let connection: ListeningConnection | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let silentBeats = 0;
  const catchUp = coalescedRuns(async () => connection !== undefined && beats.arrives(CATCH_UP_MS));

  const onNotification = (channel: string, payload: string | undefined) => {
    if (channel === ownChannel) {
      silentBeats = 0;
      beats.heard(payload ?? '');
    } else {
      const invalidation = parseInvalidation(payload);
      for (const listener of listeners) listener.onInvalidation(invalidation);
    }
  };
  const lose = (error: unknown) => {
    connection?.destroy();
    connection = undefined;
    // While the last watermark is still available, which says up to when the events are complete.
    for (const listener of listeners) listener.onLost();
    beats.forget();
    connectAgain(error);
  };
  const connectAgain = (error: unknown) => {
    if (isClosed) return;
    onProblem(error);
    retry = setTimeout(connect, Math.random() * RECONNECT_MS);
  };
  const connect = () => {
    const channels = [STATE_CHANNEL, ownChannel];
    listenTo({ url, applicationName, channels, onNotification, onEnd: lose }).then(start, connectAgain);
  };
  const start = (listening: ListeningConnection) => {
    if (isClosed) return listening.destroy();
    connection = listening;
    silentBeats = 0;
    for (const listener of listeners) listener.onStarted();
    beats.beat();
  };
  // Heartbeats are counted instead of timed, because a process that stood still reads arrived ones only later.
  const beat = () => {
    if (connection === undefined) return;
    silentBeats += 1;
    if (silentBeats > missedBeats) lose(new Error('no heartbeat arrived'));
    else beats.beat();
  };

  const timer = setInterval(beat, heartbeatMs).unref();
  connect();
  return {
    subscribe: (listener) => {
      listeners.push(listener);
      if (connection !== undefined) listener.onStarted();
    },
    watermarkMs: beats.watermarkMs,
    catchUp: catchUp.next,
    discard: () => {
      for (const listener of listeners) listener.onInvalidation({ kind: 'everything' });
      if (connection !== undefined) lose(new Error('the database server was replaced'));
    },
    close: () => {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(retry);
      if (connection !== undefined) lose(undefined);
    },
  };
}
