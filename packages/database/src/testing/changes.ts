import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@vestibule/protocol';
import { type Change, type ChangeStart, followChanges, LOG_START } from '@vestibule/tokens/changes';
import { onTestFinished } from 'vitest';
import type { Database } from '../open-database.js';

/** Reads changes until the test ends: `next` waits for the next ones that are not a reset at the start. */
export async function aReader(database: Database, start: ChangeStart = { isFromStart: true }) {
  const ended = new AbortController();
  const notices = database.openChangeNotices({ onProblem: () => undefined });
  onTestFinished(() => {
    ended.abort();
    notices.close();
  });
  const problems: unknown[] = [];
  const deps = {
    log: database.changes,
    notices,
    clock: systemClock,
    onProblem: (error: unknown) => problems.push(error),
    idleMs: 250,
  };
  const lists = await followChanges(deps, start, ended.signal);
  const waiting: Change[] = [];
  const next = async (): Promise<Change> => {
    for (;;) {
      const change = waiting.shift();
      if (change !== undefined) return change;
      const { value, done } = await lists.next();
      if (done) throw new Error('the reader has ended');
      waiting.push(...value);
    }
  };
  return {
    next,
    problems,
    /** Reads what there is now, which is nothing while an older transaction runs. */
    available: async (): Promise<readonly Change[]> => [
      ...waiting.splice(0),
      ...((await lists.next()).value ?? []),
    ],
    /** Reads everything that was committed before the call. */
    rest: async (): Promise<readonly Change[]> => {
      await everyChange(database);
      const read = waiting.splice(0);
      for (;;) {
        const { value = [] } = await lists.next();
        if (value.length === 0) return read;
        read.push(...value);
      }
    },
  };
}

/** Returns all changes that were committed before the call, also while tests in other databases write. */
export async function everyChange({ changes: log }: Pick<Database, 'changes'>): Promise<readonly Change[]> {
  for (;;) {
    const { changes, isPending } = await log.page(LOG_START, 1_000);
    if (!isPending) return changes.map(({ change }) => change);
    await delay(10);
  }
}

/** What a change says: its type, its reason and its members. */
export function said({ type, reason, members }: Change): readonly unknown[] {
  return [type, reason, members];
}
