import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../open-database.js';
import { aMigratedDatabase } from '../testing/test-database.js';
import type { AgreedSettings } from './agreed-settings.js';
import { startSettingsWatch } from './settings-watch.js';

async function createFixture() {
  const database = openDatabase({ url: await aMigratedDatabase(), poolSize: 2 });
  onTestFinished(() => database.close());
  const clock = frozenClock();
  const errors: unknown[] = [];
  const watch = (program: string, settings: AgreedSettings, opened: Promise<void> = Promise.resolve()) => {
    const conflicts: string[] = [];
    const running = startSettingsWatch({
      store: { database, clock: clock as never, opened },
      program,
      settings,
      onConflict: (conflict) => conflicts.push(conflict),
      onError: (error) => errors.push(error),
      intervalMs: 5,
    });
    onTestFinished(() => running.stop());
    return { conflicts, stop: running.stop };
  };
  const others = () =>
    database.runningProcesses.announce(
      { id: 'me', program: 'me', settings: { issuer: 'me' } },
      nowSeconds(clock),
    );
  return { clock, database, watch, errors, others };
}

it('reports a conflict once, whichever process starts first', async () => {
  const { watch, errors, database } = await createFixture();
  const announce = vi.spyOn(database.runningProcesses, 'announce');
  const first = watch('registration', { issuer: 'https://a.example' });
  const second = watch('introspection', { issuer: 'https://b.example' });
  await vi.waitFor(() => expect([first.conflicts.length, second.conflicts.length]).toEqual([1, 1]), 60_000);
  const runs = announce.mock.calls.length;
  await vi.waitFor(() => expect(announce.mock.calls.length).toBeGreaterThan(runs + 4), 60_000);
  expect([first.conflicts.length, second.conflicts.length]).toEqual([1, 1]);
  expect(errors).toEqual([]);
});

it('reports that the others cannot be read once, until they can', async () => {
  const { watch, errors, database } = await createFixture();
  const announce = vi
    .spyOn(database.runningProcesses, 'announce')
    .mockRejectedValue(new Error('no database'));
  watch('registration', { issuer: 'https://a.example' });
  await vi.waitFor(() => expect(announce.mock.calls.length).toBeGreaterThan(4), 60_000);
  expect(errors).toEqual([new Error('no database')]);
  announce.mockResolvedValueOnce([]);
  await vi.waitFor(() => expect(errors).toHaveLength(2), 60_000);
});

it('forgets a process that stops, at once', async () => {
  const { watch, others } = await createFixture();
  const { stop } = watch('registration', { issuer: 'https://a.example' });
  await vi.waitFor(async () => expect(await others()).toHaveLength(1), 60_000);
  await stop();
  expect(await others()).toEqual([]);
});

it('forgets a killed process after a minute', async () => {
  const { clock, database, others } = await createFixture();
  const settings = { issuer: 'https://a.example' };
  const now = nowSeconds(clock);
  await database.runningProcesses.announce({ id: '1', program: 'killed', settings }, epochSeconds(now - 60));
  expect(await others()).toEqual([{ program: 'killed', settings }]);
  expect(await database.runningProcesses.list(epochSeconds(now))).toEqual([
    { program: 'killed', settings },
    { program: 'me', settings: { issuer: 'me' } },
  ]);
  await database.runningProcesses.announce({ id: '1', program: 'killed', settings }, epochSeconds(now - 61));
  expect(await database.runningProcesses.list(epochSeconds(now))).toHaveLength(1);
  expect(await others()).toEqual([]);
});

it('ignores what another version of the software has stored', async () => {
  const { clock, database, others } = await createFixture();
  const settings: readonly object[] = [
    {},
    { issuer: 7 },
    { issuer: 'https://a.example', logout: { path: 1 } },
  ];
  for (const [index, value] of settings.entries())
    await database.runningProcesses.announce(
      { id: `${index}`, program: `other-${index}`, settings: value as never },
      nowSeconds(clock),
    );
  expect(await others()).toEqual([{ program: 'other-2', settings: { issuer: 'https://a.example' } }]);
});

it('stops before the store is open, and does nothing then', async () => {
  const { watch, others } = await createFixture();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { stop } = watch('registration', { issuer: 'https://a.example' }, opened);
  await stop();
  open();
  await opened;
  expect(await others()).toEqual([]);
});
