import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { seededRandom } from '@vestibule/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { simulatedTime } from '../testing/simulated-time.js';
import type { Change } from './change.js';
import type { ChangeLog } from './change-log.js';
import { openChangeTail } from './change-tail.js';

const RETENTION_SECONDS = 604_800;

/** A tail over a log in memory, whose reads are counted, in simulated time. */
function aTail() {
  const time = simulatedTime();
  const stored: Change[] = [aChange(0)];
  const log = {
    reads: 0,
    recordedForSeconds: 2 * RETENTION_SECONDS,
    recorded: [] as number[],
    pendingSince: undefined as EpochSeconds | undefined,
  };
  const pending: (EpochSeconds | undefined)[] = [];
  const problems: unknown[] = [];
  let fault: Error | undefined;
  let notify: () => void = () => undefined;
  const read = () => {
    log.reads += 1;
    if (fault !== undefined) throw fault;
  };
  const changeLog: ChangeLog = {
    latest: async () => {
      read();
      const change = stored.at(-1);
      return { recordedForSeconds: log.recordedForSeconds, ...(change && { change }) };
    },
    page: async (after, limit) => {
      read();
      const place = stored.findIndex(({ id }) => id === after);
      const changes = place < 0 ? [] : stored.slice(place + 1, place + 1 + limit);
      const { recordedForSeconds, pendingSince } = log;
      const state = { recordedForSeconds, ...(pendingSince !== undefined && { pendingSince }) };
      return { ...state, isKnown: place >= 0, changes };
    },
    record: async (forSeconds) => {
      log.recorded.push(forSeconds);
      log.recordedForSeconds = Math.max(forSeconds, log.recordedForSeconds);
    },
  };
  const tail = openChangeTail({
    log: changeLog,
    openNotices: (onNotice) => {
      notify = onNotice;
      return { close: () => undefined };
    },
    scheduler: time.scheduler,
    random: seededRandom(),
    retentionSeconds: RETENTION_SECONDS,
    idleMs: 5_000,
    onProblem: (error) => problems.push(error),
    onPending: (since) => pending.push(since),
  });
  onTestFinished(tail.close);
  return {
    tail,
    log,
    problems,
    pending,
    add: (count = 1) => {
      for (let each = 0; each < count; each += 1) stored.push(aChange(stored.length));
      notify();
    },
    lose: (count: number) => stored.splice(stored.length - count, count),
    fail: (error?: Error) => {
      fault = error;
    },
    /** Returns the number of reads while time passes. */
    readsWithin: async (ms: number) => {
      await settled();
      const before = log.reads;
      for (let passed = 0; passed < ms; passed += 10) {
        time.pass(10);
        await settled();
      }
      return log.reads - before;
    },
  };
}

function aChange(id: number): Change {
  return {
    id: String(id),
    type: 'client.ended',
    occurredAt: epochSeconds(1),
    reason: 'deleted',
    members: {},
  };
}

/** Lets everything happen that needs no time. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('reads at once after a notice, and at most every 50 milliseconds however many there are', async () => {
  const { tail, log, add, readsWithin } = aTail();
  await readsWithin(1_000);
  const { reads } = log;
  add();
  await settled();
  expect([log.reads - reads, tail.lastId()]).toEqual([1, '1']);
  for (let each = 0; each < 1_000; each += 1) add();
  expect(await readsWithin(40)).toBe(0);
  expect(await readsWithin(10)).toBe(3);
  expect(tail.lastId()).toBe('1001');
  expect(await readsWithin(4_000)).toBe(0);
});

it('reads now and then while nothing happens, in case that notices are lost', async () => {
  const { readsWithin } = aTail();
  await readsWithin(5_000);
  expect(await readsWithin(20_000)).toBe(4);
});

it('reads less and less often while changes wait for an older transaction', async () => {
  const { log, add, readsWithin } = aTail();
  await readsWithin(5_000);
  log.pendingSince = epochSeconds(7);
  add();
  expect(await readsWithin(800)).toBeLessThan(6);
  expect(await readsWithin(10_000)).toBeLessThanOrEqual(11);
  log.pendingSince = undefined;
  await readsWithin(1_000);
  expect(await readsWithin(4_000)).toBe(0);
});

it('reads again soon after a page, while later changes wait for an older transaction', async () => {
  const { log, add, readsWithin } = aTail();
  await readsWithin(5_000);
  log.pendingSince = epochSeconds(7);
  expect(await readsWithin(20_000)).toBeGreaterThan(15);
  add();
  expect(await readsWithin(60)).toBe(1);
  expect(await readsWithin(1_000)).toBeGreaterThan(2);
});

it('says since when changes wait for an older transaction, until it is closed', async () => {
  const { tail, log, pending, readsWithin } = aTail();
  await readsWithin(100);
  expect(pending.at(-1)).toBeUndefined();
  log.pendingSince = epochSeconds(7);
  await readsWithin(5_000);
  expect(pending.at(-1)).toBe(7);
  tail.close();
  expect(pending.at(-1)).toBeUndefined();
});

it('reads less and less often while reads fail, and goes on afterwards', async () => {
  const { tail, problems, add, fail, readsWithin } = aTail();
  await readsWithin(100);
  fail(new Error('the store is away'));
  add();
  expect(await readsWithin(5_000)).toBeLessThanOrEqual(5);
  expect(await readsWithin(60_000)).toBeLessThanOrEqual(6);
  expect(problems.length).toBeGreaterThan(3);
  fail();
  await readsWithin(30_000);
  expect(tail.lastId()).toBe('1');
});

it('prolongs the recording only when less than the retention is left', async () => {
  const { log, readsWithin } = aTail();
  await readsWithin(60_000);
  expect(log.recorded).toEqual([]);
  log.recordedForSeconds = RETENTION_SECONDS - 1;
  await readsWithin(60_000);
  expect(log.recorded).toEqual([RETENTION_SECONDS + 3_600]);
});

it('forgets what it read when the log lacks its last change', async () => {
  const { tail, add, lose, readsWithin } = aTail();
  await readsWithin(100);
  add(10);
  await readsWithin(100);
  expect(tail.recent.after('0', 100)).toHaveLength(10);
  lose(3);
  await readsWithin(5_000);
  expect([tail.lastId(), tail.recent.after('0', 100)]).toEqual(['7', undefined]);
});
