import { expect, it, onTestFinished, vi } from 'vitest';
import type { MaintenanceJob } from '../maintenance-job.js';
import { twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';
import type { ChainHead } from './chain-events.js';
import { startChaining } from './chain-schedule.js';

const EVENTS = 3_000;
const BATCH = 200;

/** A database with more events to chain than fit in a batch. */
async function waitingEvents() {
  const { url, one } = await twoProcesses();
  await query(
    url,
    `INSERT INTO audit_event (occurred_at, actor, action, target)
     SELECT now(), 'service', 'test', 'row:' || n FROM generate_series(1, ${EVENTS}) n`,
  );
  return { url, one };
}

/** Starts chaining and stops it after a number of batches. */
async function chainedFor(batches: number, onBatch = () => {}) {
  const { one } = await waitingEvents();
  const heads: ChainHead[] = [];
  let done = 0;
  let chaining: MaintenanceJob | undefined;
  await new Promise<void>((resolve, reject) => {
    chaining = startChaining({
      database: one,
      intervalMs: 1,
      onError: reject,
      onHead: (head) => heads.push(head),
      onDone: () => {
        done += 1;
        onBatch();
        if (done === batches) resolve();
      },
    });
  });
  await chaining?.stop();
  return { one, heads, done };
}

// An end that is reported only after the last event would never be reported while new events arrive.
it('reports the end of the chain once a second while there are unchained events, and always the last one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { one, heads } = await chainedFor(EVENTS / BATCH + 1, () => void vi.advanceTimersByTime(400));
  expect(heads.map(({ position }) => Number(position))).toEqual([200, 800, 1_400, 2_000, 2_600, EVENTS]);
  for (const head of heads)
    expect(await one.verifyAuditChain({ to: head.position })).toMatchObject({ intact: true, head });
});

it('reports the end that it has reached when it fails', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, one } = await waitingEvents();
  const heads: ChainHead[] = [];
  let done = 0;
  const closeAfterTwo = () => {
    done += 1;
    if (done === 2) void one.close();
  };
  let chaining: MaintenanceJob | undefined;
  await new Promise((resolve) => {
    chaining = startChaining({
      database: one,
      intervalMs: 1,
      onError: resolve,
      onHead: (head) => heads.push(head),
      onDone: closeAfterTwo,
    });
  });
  await chaining?.stop();
  expect(heads.map(({ position }) => position)).toEqual([200n, 400n]);
  expect(await query(url, 'SELECT max(position)::int AS last FROM audit_event')).toEqual([{ last: 400 }]);
});

it('stops after the current batch, however many events are unchained', async () => {
  const { one, heads } = await chainedFor(1);
  expect(heads.length).toBeLessThanOrEqual(2);
  const { count: left } = await one.chainAuditEvents();
  expect(left).toBe(EVENTS - Number(heads.at(-1)?.position));
  expect(left).toBeGreaterThan(EVENTS / 2);
});
