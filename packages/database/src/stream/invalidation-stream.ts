import { type MonotonicClock, nodeScheduler, withinDeadline } from '@vestibule/protocol/runtime';
import type { Invalidation, InvalidationStream, RevocationListener } from '@vestibule/tokens/cache';
import type { OwnConnection } from '../own-connection.js';
import type { RunStatement } from '../statement.js';
import { type FollowedLog, followLog } from './followed-log.js';
import { beginLog } from './invalidation-events.js';

/** Options of an invalidation stream. */
export interface InvalidationStreamOptions {
  readonly monotonic: MonotonicClock;
  /** Called with the reason when the stream is interrupted, for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Interval of the polls that deliver events and advance the watermark, in milliseconds. Default 100. */
  readonly pollMs?: number;
  /** Interval of the checks that the pool leads to the same server, in milliseconds. Default 250. */
  readonly checkMs?: number;
}

/** An invalidation stream with a connection of its own. */
export interface OpenInvalidationStream extends InvalidationStream {
  /** Sends an event that covers everything, and reconnects, because the server was replaced. */
  discard(): void;
  close(): void;
}

/** The connections of a stream. */
export interface StreamConnections {
  /** Creates a connection for polls. */
  readonly connect: () => OwnConnection;
  /** Runs statements on the connections that read and write. */
  readonly run: RunStatement;
}

const POLL_MS = 100;
const CHECK_MS = 250;
const RECONNECT_MS = 250;
const CATCH_UP_MS = 1_000;

interface Connected {
  readonly connection: OwnConnection;
  readonly log: FollowedLog;
}

/**
 * Opens an invalidation stream, and reconnects until it is closed. A poll whose connection breaks is repeated on another
 * one, without a gap; the stream is interrupted when that fails, or when a poll gets no response within two seconds.
 */
export function openInvalidationStream(
  { connect, run }: StreamConnections,
  options: InvalidationStreamOptions,
): OpenInvalidationStream {
  const { monotonic, onProblem, pollMs = POLL_MS, checkMs = CHECK_MS } = options;
  const listeners: RevocationListener[] = [];
  let connected: Connected | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const onInvalidation = (invalidation: Invalidation) => {
    for (const listener of listeners) listener.onInvalidation(invalidation);
  };
  const advance = () => {
    if (connected === undefined) return;
    const position = connected.log.position();
    for (const listener of listeners) listener.onAdvanced(position);
  };
  const lose = (error: unknown) => {
    const lost = connected;
    if (lost === undefined) return;
    lost.log.stop();
    // While the last watermark is still available, which says up to when the events are complete.
    for (const listener of listeners) listener.onLost();
    connected = undefined;
    lost.connection.close();
    startAgain(error);
  };
  const startAgain = (error: unknown) => {
    if (isClosed) return;
    onProblem(error);
    retry = setTimeout(() => void start(), Math.random() * RECONNECT_MS);
  };
  const start = async () => {
    const connection = connect();
    const listener = { onInvalidation, onAdvanced: advance };
    try {
      await beginLog(connection.run);
      const log = await followLog({
        poll: connection.run,
        check: run,
        monotonic,
        pollMs,
        checkMs,
        listener,
        onFailed: lose,
      });
      if (isClosed) {
        log.stop();
        return connection.close();
      }
      connected = { connection, log };
      for (const { onStarted } of listeners) onStarted();
      advance();
    } catch (error) {
      connection.close();
      startAgain(error);
    }
  };
  const caughtUp = async () => (await connected?.log.catchUp()) === true;

  void start();
  return {
    subscribe: (listener) => {
      listeners.push(listener);
      if (connected === undefined) return;
      listener.onStarted();
      listener.onAdvanced(connected.log.position());
    },
    watermarkMs: () => connected?.log.watermarkMs() ?? Number.NEGATIVE_INFINITY,
    position: () => connected?.log.position(),
    catchUp: () =>
      withinDeadline(caughtUp(), { scheduler: nodeScheduler, limitMs: CATCH_UP_MS }, tooLate).catch(
        () => false,
      ),
    discard: () => {
      onInvalidation({ kind: 'everything', transactionId: connected?.log.position().transactionId ?? 0n });
      lose(new Error('the database server was replaced'));
    },
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      lose(undefined);
    },
  };
}

function tooLate(): Error {
  return new Error('the invalidation stream did not catch up in time');
}
