import type { MonotonicClock } from '@vestibule/protocol/runtime';

/** Options of heartbeats. */
export interface HeartbeatsOptions {
  readonly monotonic: MonotonicClock;
  /** Sends a heartbeat through the database. */
  readonly send: (id: string) => Promise<unknown>;
}

/** Messages of this process to itself through the notification queue of the database. */
export interface Heartbeats {
  /** Sends a heartbeat, unless too many are pending. */
  beat(): void;
  /** Sends a heartbeat, and resolves with whether it arrives in time. */
  arrives(withinMs: number): Promise<boolean>;
  /** Must be called for each heartbeat that arrives. */
  heard(id: string): void;
  /** When the last heartbeat that arrived was sent; `-Infinity` before the first. */
  watermarkMs(): number;
  /** Drops pending heartbeats, which cannot arrive any more. */
  forget(): void;
}

const MAX_UNDER_WAY = 4;

/**
 * Creates the heartbeats of a connection. Notifications are delivered in the order of commits: when a heartbeat
 * arrives, the events of all changes that were committed before it was sent have arrived.
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
    // Taken before sending, so that the watermark is never too late.
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
