import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it, vi } from 'vitest';
import { startClientUses } from './client-uses.js';
import { aClient, after, anId, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

/** A recorder whose writes are observed, and which writes only when it is stopped. */
function aRecorder() {
  const clock = frozenClock(NOW * 1000);
  const onError = vi.fn();
  const markUsed = vi.fn(async () => undefined);
  const options = { clients: { markUsed }, clock, intervalSeconds: 300, flushMs: 1_000_000, onError };
  return { clock, onError, markUsed, uses: startClientUses(options) };
}

it('writes many uses in one statement, and each client at most once in an interval', async () => {
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

it('reports uses that cannot be written, and writes them with the next batch', async () => {
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

it('writes at intervals, and makes an open registration permanent', async () => {
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

// This event is the only trace of what made an open registration permanent.
it('records once, and in the same statement, that an open registration became permanent', async () => {
  const { url, one, other } = await twoProcesses();
  const open = { origin: 'open_registration', expiresAt: after(60) } as const;
  await one.clients.create(aClient(open));
  await one.clients.create(aClient({ ...open, id: anId('ended'), expiresAt: after(1) }));
  await one.clients.create(aClient({ id: anId('permanent'), origin: 'open_registration' }));
  await one.clients.create(aClient({ id: anId('federated'), expiresAt: after(60) }));
  const ids = ['client', 'ended', 'permanent', 'federated'].map(anId);
  const processes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other));
  await Promise.all(processes.map(({ clients }) => clients.markUsed(ids, after(10), 0)));
  await one.clients.markUsed(ids, after(20), 0);
  const events = await query(
    url,
    `SELECT actor, action, target, before_digest = after_digest AS same, extract(epoch FROM occurred_at)::int AS at
      FROM audit_event WHERE action <> 'client.registered'`,
  );
  expect(events).toEqual([
    { actor: 'service', action: 'client.kept', target: 'client:client', same: true, at: after(10) },
  ]);
  expect(await one.clients.find(anId('federated'))).toMatchObject({ expiresAt: after(60) });
  expect(await one.clients.find(anId('permanent'))).toMatchObject({ lastUsedAt: after(20) });
});
