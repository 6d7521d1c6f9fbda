import { operatorActor, parseClientOwner } from '@vestibule/clients';
import { expect, it } from 'vitest';
import { aClient, anId, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

const OPERATOR = operatorActor('jane');

function ownership(name: string, isSecretUndelivered = false) {
  const owner = parseClientOwner(name);
  if (owner === undefined) throw new TypeError(name);
  return { owner, isSecretUndelivered };
}

it('keeps the owner of a client through replacements, and forgets it with the client', async () => {
  const { one, other } = await twoProcesses();
  const client = aClient({ ownership: ownership('shop', true) });
  await one.clients.create(client);
  expect(await other.clients.find(client.id)).toEqual(client);
  const next = { ...client, ownership: ownership('other'), version: 2 };
  expect(await one.clients.replace({ client: next })).toBe(true);
  expect(await other.clients.find(client.id)).toEqual(next);
  const { ownership: _, ...unowned } = next;
  await one.clients.replace({ client: { ...unowned, version: 3 } });
  expect(await other.clients.find(client.id)).toEqual({ ...unowned, version: 3 });
});

it('pages through the clients of an owner in the order of their identifiers', async () => {
  const { one } = await twoProcesses();
  const { owner } = ownership('shop');
  for (const id of ['c', 'a', 'b'])
    await one.clients.create(aClient({ id: anId(id), ownership: ownership('shop') }));
  await one.clients.create(aClient({ id: anId('foreign'), ownership: ownership('other') }));
  await one.clients.create(aClient({ id: anId('unowned') }));
  expect(await one.ownedClients.find(owner, { limit: 2 })).toEqual(['a', 'b']);
  expect(await one.ownedClients.find(owner, { limit: 2, after: anId('b') })).toEqual(['c']);
});

it('records the delivery of secrets once, and not of clients that have changed', async () => {
  const { one } = await twoProcesses();
  const ids = ['a', 'b'].map(anId);
  for (const id of ids) await one.clients.create(aClient({ id, ownership: ownership('shop', true) }));
  const changed = aClient({ id: anId('b'), ownership: ownership('shop', true), version: 2 });
  await one.clients.replace({ client: changed });
  const delivered = ids.map((id) => ({ id, version: 1 }));
  for (const _ of [1, 2]) await one.ownedClients.markDelivered(delivered, { actor: OPERATOR, now: NOW });
  const clients = await Promise.all(ids.map((id) => one.clients.find(id)));
  expect(clients.map((client) => client?.ownership?.isSecretUndelivered)).toEqual([false, true]);
  const events = [];
  for await (const { action, actor, target } of one.auditEvents())
    if (action === 'client.secret_handed_over') events.push({ actor, target });
  expect(events).toEqual([{ actor: OPERATOR, target: 'client:a' }]);
});

it('lets one process make an exclusive run, until it ends or its connection is lost', async () => {
  const { url, one, other } = await twoProcesses();
  const run = await one.beginExclusiveRun('apply shop');
  expect(run?.isHeld()).toBe(true);
  expect(await other.beginExclusiveRun('apply shop')).toBeUndefined();
  const unrelated = await other.beginExclusiveRun('apply blog');
  expect(unrelated?.isHeld()).toBe(true);
  await unrelated?.end();
  await run?.end();
  const next = await other.beginExclusiveRun('apply shop');
  expect(next?.isHeld()).toBe(true);
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '%exclusive run'`,
  );
  await expect.poll(() => next?.isHeld()).toBe(false);
  const last = await one.beginExclusiveRun('apply shop');
  expect(last?.isHeld()).toBe(true);
  await last?.end();
});
