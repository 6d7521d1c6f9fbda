import { setTimeout as delay } from 'node:timers/promises';
import { secureRandom } from '@vestibule/crypto';
import { systemClock } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import {
  type Change,
  type ChangeFollowerDeps,
  type ChangeStart,
  changeFollower,
  type FollowChanges,
} from '@vestibule/tokens/changes';
import { onTestFinished } from 'vitest';
import type { Database } from '../open-database.js';

/** How long changes are kept for readers in these tests, in seconds. */
export const RETENTION_SECONDS = 604_800;

/** Lets readers of a process follow its changes. */
export function aFollower(
  { changes: log, openChangeNotices }: Pick<Database, 'changes' | 'openChangeNotices'>,
  deviations: Partial<ChangeFollowerDeps> = {},
): FollowChanges {
  return changeFollower({
    log,
    openNotices: (onNotice) => openChangeNotices({ onNotice, onProblem: () => undefined }),
    clock: systemClock,
    scheduler: nodeScheduler,
    random: secureRandom,
    retentionSeconds: RETENTION_SECONDS,
    idleMs: 250,
    onProblem: () => undefined,
    ...deviations,
  });
}

/** Has changes recorded. Returns the start of the log, after its `reset`. */
export async function recorded(
  database: Pick<Database, 'changes'>,
): Promise<{ readonly lastEventId: string }> {
  await database.changes.record(2 * RETENTION_SECONDS);
  const [reset] = await everyChange(database);
  if (reset === undefined) throw new Error('the log has no change');
  return { lastEventId: reset.id };
}

/** Reads changes until the test ends. */
export function aReader(database: Database, start: ChangeStart, follow = aFollower(database)) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const lists = follow(start, ended.signal);
  const waiting: Change[] = [];
  let lastId = start.lastEventId;
  const read = async (): Promise<readonly Change[]> => {
    const { value, done } = await lists.next();
    if (done) throw new Error('the reader has ended');
    waiting.push(...value);
    return value;
  };
  const take = (count = waiting.length): readonly Change[] => {
    const taken = waiting.splice(0, count);
    lastId = taken.at(-1)?.id ?? lastId;
    return taken;
  };
  return {
    /** Waits for the next change. */
    next: async (): Promise<Change> => {
      for (;;) {
        const [change] = take(1);
        if (change !== undefined) return change;
        await read();
      }
    },
    /** Reads what there is now, which is nothing while an older transaction runs. */
    available: async (): Promise<readonly Change[]> => {
      await read();
      return take();
    },
    /** Reads everything that was committed before the call. */
    rest: async (): Promise<readonly Change[]> => {
      let all = await everyChange(database);
      // A log is empty only while it begins anew.
      for (; all.length === 0; all = await everyChange(database)) await delay(10);
      const last = all.at(-1)?.id;
      const rest = [...take()];
      while (lastId !== last) {
        await read();
        rest.push(...take());
      }
      return rest;
    },
    stop: () => ended.abort(),
  };
}

/** Returns all changes that were committed before the call, also while tests in other databases write. */
export async function everyChange({ changes: log }: Pick<Database, 'changes'>): Promise<readonly Change[]> {
  for (;;) {
    const { changes, pendingSince } = await log.page(undefined, 100_000);
    if (pendingSince === undefined) return changes;
    await delay(10);
  }
}

/** What a change says: its type, its reason and its members. */
export function said({ type, reason, members }: Change): readonly unknown[] {
  return [type, reason, members];
}
