import { expect, it } from 'vitest';
import type { RunningRounds } from '../rounds.js';
import { twoProcesses } from '../testing/fixtures.js';
import { ask } from '../testing/test-database.js';
import type { ChainHead } from './chain-events.js';
import { startChaining } from './chain-schedule.js';

const EVENTS = 3_000;

/** Chaining of more events than one batch holds, which is ended after a number of them. */
async function chainedFor(batches: number) {
  const { url, one } = await twoProcesses();
  await ask(
    url,
    `INSERT INTO audit_event (occurred_at, actor, action, target)
     SELECT now(), 'service', 'test', 'row:' || n FROM generate_series(1, ${EVENTS}) n`,
  );
  const told: ChainHead[] = [];
  let done = 0;
  let chaining: RunningRounds | undefined;
  await new Promise<void>((resolve, reject) => {
    chaining = startChaining({
      database: one,
      intervalMs: 1,
      onError: reject,
      onHead: (head) => told.push(head),
      onDone: () => {
        done += 1;
        if (done === batches) resolve();
      },
    });
  });
  await chaining?.stop();
  return { one, told, done };
}

// An end that is told only when nothing is left would stay away for as long as events come.
it('tells the end of the chain after each batch', async () => {
  const { one, told, done } = await chainedFor(3);
  expect(done).toBe(told.length);
  for (const head of told.slice(0, 3)) {
    expect(head.position).toBeLessThan(EVENTS);
    expect(await one.verifyAuditChain({ to: head.position })).toMatchObject({ intact: true, head });
  }
});

it('ends after the batch that is under way, however many events wait', async () => {
  const { one, told } = await chainedFor(1);
  expect(told.length).toBeLessThanOrEqual(2);
  const { count: left } = await one.chainAuditEvents();
  expect(left).toBe(EVENTS - Number(told.at(-1)?.position));
  expect(left).toBeGreaterThan(EVENTS / 2);
});
