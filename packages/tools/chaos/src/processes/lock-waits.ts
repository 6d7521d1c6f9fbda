import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Watches lock waits in a database. */
export interface LockWatch {
  /** Stops watching. @returns the longest observed wait, in milliseconds */
  end(): Promise<number>;
}

const EVERY_MS = 15;

/**
 * The longest current wait, without waits of the migration itself: it delays others only as long as it holds a lock.
 */
const LONGEST = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)) * 1000, 0)::float8 AS ms
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database() AND application_name <> 'vestibule-migrate'`;

/** Polls the lock waits. */
export function watchLocks(pool: pg.Pool): LockWatch {
  let [isOver, longestMs] = [false, 0];
  const look = async () => {
    while (!isOver) {
      const { rows } = await pool.query<{ ms: number }>(LONGEST);
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
      await pause(EVERY_MS);
    }
  };
  const looking = look();
  looking.catch(() => undefined);
  return {
    end: async () => {
      isOver = true;
      await looking;
      return longestMs;
    },
  };
}
