import type {
  InvalidatedStates,
  Invalidation,
  InvalidationStream,
  RevocationListener,
  StreamPosition,
} from '../cache/invalidation-stream.js';

type Message =
  | { readonly invalidation: Invalidation }
  | {
      readonly sentAtMs: number;
      readonly position: StreamPosition;
      readonly settle?: (arrived: boolean) => void;
    };

/**
 * An invalidation stream whose messages arrive when the test says so, in the order of commits, and which it can cut.
 */
export interface SimulatedStream extends InvalidationStream {
  /** Adds the message of a commit to the queue; it is lost while the stream is cut. */
  commit(invalidated: InvalidatedStates): void;
  /** Adds the result of a poll without events. */
  beat(): void;
  /** Delivers at most `count` messages. */
  deliver(count: number): void;
  lose(): void;
  start(): void;
  readonly waiting: number;
}

/** Creates a stream without a watermark, started already or not. @param now the monotonic clock */
export function simulatedStream(now: () => number, isStartedAlready = true): SimulatedStream {
  const listeners: RevocationListener[] = [];
  let queue: Message[] = [];
  let isStarted = isStartedAlready;
  let watermark = Number.NEGATIVE_INFINITY;
  let transactionId = 1n;
  let position: StreamPosition | undefined;
  const currentPosition = (): StreamPosition => ({
    epoch: 'simulated',
    transactionId,
    nextTransactionId: transactionId,
  });
  const arrive = (message: Message) => {
    if ('invalidation' in message) {
      for (const listener of listeners) listener.onInvalidation(message.invalidation);
      return;
    }
    watermark = Math.max(watermark, message.sentAtMs);
    position = message.position;
    for (const listener of listeners) listener.onAdvanced(message.position);
    message.settle?.(true);
  };
  return {
    subscribe: (listener) => {
      listeners.push(listener);
      if (isStarted) listener.onStarted();
    },
    watermarkMs: () => watermark,
    position: () => position,
    catchUp: async () =>
      isStarted &&
      new Promise<boolean>((settle) => queue.push({ sentAtMs: now(), position: currentPosition(), settle })),
    commit: (invalidated) => {
      if (isStarted) queue.push({ invalidation: { ...invalidated, transactionId } });
      transactionId += 1n;
    },
    beat: () => {
      if (isStarted) queue.push({ sentAtMs: now(), position: currentPosition() });
    },
    deliver: (count) => {
      for (const message of queue.splice(0, count)) arrive(message);
    },
    lose: () => {
      if (!isStarted) return;
      isStarted = false;
      for (const listener of listeners) listener.onLost();
      for (const message of queue) if ('settle' in message) message.settle?.(false);
      queue = [];
      watermark = Number.NEGATIVE_INFINITY;
      position = undefined;
    },
    start: () => {
      if (isStarted) return;
      isStarted = true;
      for (const listener of listeners) listener.onStarted();
    },
    get waiting() {
      return queue.length;
    },
  };
}
