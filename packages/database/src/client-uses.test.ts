import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it, vi } from 'vitest';
import { startClientUses } from './client-uses.js';
import { aClient, after, anId, NOW, twoProcesses } from './testing/fixtures.js';

/** A recorder whose writes are seen, and which writes when it is stopped alone. */
function aRecorder() {
  const clock = frozenClock(NOW * 1000);
  const onError = vi.fn();
  const markUsed = vi.fn(async () => undefined);
  const options = { clients: { markUsed }, clock, intervalSeconds: 300, flushMs: 1_000_000, onError };
  return { clock, onError, markUsed, uses: startClientUses(options) };
}

it('writes many uses at once, each client once in an interval, whatever the caller knows of it', async () => {
  const { clock, markUsed, uses } = aRecorder();
  for (const id of ['b', 'a', 'b', 'a']) uses.record({ id: anId(id) });
  uses.record({ id: anId('noted'), lastUsedAt: after(-300) });
  uses.record({ id: anId('long ago'), lastUsedAt: after(-301) });
  expect(markUsed).not.toHaveBeenCalled();
  await uses.stop();
  expect(markUsed.mock.calls).toEqual([[['a', 'b', 'long ago'], NOW, 300]]);
  clock.advanceSeconds(300);
  uses.record({ id: anId('a') });
  await uses.stop();
  expect(markUsed).toHaveBeenCalledTimes(1);
  clock.advanceSeconds(1);
  uses.record({ id: anId('a') });
  await uses.stop();
  expect(markUsed).toHaveBeenLastCalledWith(['a'], after(301), 300);
});

it('tells of what cannot be written, and tries it again with the next', async () => {
  const { markUsed, onError, uses } = aRecorder();
  const fault = new Error('no database');
  markUsed.mockRejectedValueOnce(fault);
  uses.record({ id: anId('a') });
  await uses.stop();
  expect(onError.mock.calls).toEqual([[fault]]);
  uses.record({ id: anId('b') });
  await uses.stop();
  expect(markUsed).toHaveBeenLastCalledWith(['a', 'b'], NOW, 300);
});

it('writes by itself, and makes an open registration permanent', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(aClient({ origin: 'open_registration', expiresAt: after(60) }));
  const clock = frozenClock(NOW * 1000);
  const onError = vi.fn();
  const uses = startClientUses({ clients: one.clients, clock, intervalSeconds: 300, flushMs: 1, onError });
  uses.record(aClient());
  await expect.poll(() => one.clients.find(anId('client'))).not.toHaveProperty('expiresAt');
  await uses.stop();
  expect(onError).not.toHaveBeenCalled();
});
