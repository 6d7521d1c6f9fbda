import type { MonotonicClock } from '@vestibule/tokens';

/** What heartbeats are made with. */
export interface HeartbeatsOptions {
  readonly monotonic: MonotonicClock;
  /** Sends a heartbeat on its way through the database. */
  readonly send: (id: string) => Promise<unknown>;
}

/** Messages to oneself through the queue of the database. */
export interface Heartbeats {
  /** Sends one, unless too many are under way. */
  beat(): void;
  /** Sends one, and tells whether it arrives within a time. */
  arrives(withinMs: number): Promise<boolean>;
  /** To be told of each one that arrives. */
  heard(id: string): void;
  /** When the last one that has arrived was sent; `-Infinity` before. */
  watermarkMs(): number;
  /** Forgets those that are under way: none of them arrives any more. */
  forget(): void;
}

const MAX_UNDER_WAY = 4;

/**
 * Notifications are delivered in the order in which their transactions committed: when a heartbeat arrives, everything
 * that was committed before it was sent has arrived too.
 */
export function heartbeats({ monotonic, send }: HeartbeatsOptions): Heartbeats {
  const underWay = new Map<
    string,
    { readonly sentAtMs: number; readonly settle?: (arrived: boolean) => void }
  >();
  let count = 0;
  let sending = 0;
  let proven = Number.NEGATIVE_INFINITY;

  const sendOne = (settle?: (arrived: boolean) => void): string => {
    count += 1;
    sending += 1;
    const id = String(count);
    // Before the database hears of it, so that the proof never claims too much.
    underWay.set(id, { sentAtMs: monotonic(), ...(settle && { settle }) });
    const sent = () => {
      sending -= 1;
    };
    const failed = () => {
      sent();
      underWay.get(id)?.settle?.(false);
      underWay.delete(id);
    };
    send(id).then(sent, failed);
    return id;
  };

  return {
    beat: () => {
      if (sending < MAX_UNDER_WAY) sendOne();
    },
    arrives: (withinMs) =>
      new Promise((resolve) => {
        const settle = (arrived: boolean) => {
          clearTimeout(timer);
          underWay.delete(id);
          resolve(arrived);
        };
        const timer = setTimeout(() => settle(false), withinMs);
        const id = sendOne(settle);
      }),
    heard: (id) => {
      const found = underWay.get(id);
      if (found === undefined) return;
      underWay.delete(id);
      proven = Math.max(proven, found.sentAtMs);
      found.settle?.(true);
    },
    watermarkMs: () => proven,
    forget: () => {
      proven = Number.NEGATIVE_INFINITY;
      for (const { settle } of underWay.values()) settle?.(false);
      underWay.clear();
    },
  };
}
