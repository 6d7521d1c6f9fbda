/** Those who want a connection, in the order in which they came. */
export interface ConnectionSemaphore {
  /**
   * Takes a place; resolves when there is one. Whoever got in has to leave.
   * @throws ConnectionWaitError when there is none within that time
   */
  enter(waitMs: number): Promise<void> | undefined;
  /** Gives the place back to whoever has waited longest. */
  leave(): void;
  /** How many wait. */
  readonly waiting: number;
}

/** Every connection was busy for as long as one may wait. */
export class ConnectionWaitError extends Error {
  override readonly name = 'ConnectionWaitError';
}

interface Waiter {
  readonly admit: () => void;
}

/**
 * As many places as there are connections. A pool bounds waiting for a busy connection by the same time as making a new
 * one: too short for a burst that would be served in a moment, or too long for a server that is gone.
 */
export function connectionSemaphore(places: number): ConnectionSemaphore {
  // Not a `Set`: whatever comes and goes in one for long is collected late.
  const waiting: Waiter[] = [];
  let free = places;
  const wait = (waitMs: number) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(new ConnectionWaitError('every connection to the database was busy'));
      };
      const timer = setTimeout(giveUp, waitMs);
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.push(waiter);
    });
  return {
    get waiting() {
      return waiting.length;
    },
    enter: (waitMs) => {
      if (free === 0) return wait(waitMs);
      free -= 1;
      return undefined;
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next.admit();
    },
  };
}
