import { sha256 } from '@vestibule/crypto';
import { expect, it } from 'vitest';
import { aClient, after, anId, NOW, race, twoProcesses } from './testing/fixtures.js';
import { countRows } from './testing/test-database.js';

const DIGEST = sha256('one registration');
const OTHER = sha256('another registration');

it('creates one client of 40 parallel identical registrations in two processes', async () => {
  const { url, one, other } = await twoProcesses();
  const outcomes = await race([one, other], 40, ({ clients }, index) =>
    clients.create(aClient({ id: anId(`c${index}`) }), { sharedDigest: DIGEST }),
  );
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'id_taken')).toHaveLength(39);
  expect(await countRows(url, 'client')).toBe(1);
  expect(await countRows(url, 'audit_event')).toBe(1);
});

it('finds a client by its registration until metadata or data change, it is suspended or deleted', async () => {
  const { one, other } = await twoProcesses();
  const found = async (digest = DIGEST) => (await other.clients.findShared(digest))?.id;
  const client = aClient({ id: anId('shared') });
  await one.clients.create(client, { sharedDigest: DIGEST });
  await one.clients.create(aClient({ id: anId('alone') }));
  expect(await found()).toBe('shared');
  expect(await found(OTHER)).toBeUndefined();
  const changes = [
    { metadata: { ...client.metadata, client_name: 'Changed' } },
    { data: { team: 'a' } },
    { status: 'suspended' as const },
  ];
  let version = 2;
  await one.clients.replace({ client: { ...client, version } });
  expect(await found()).toBe('shared');
  for (const [index, change] of changes.entries()) {
    const id = anId(`changed ${index}`);
    const digest = sha256(id);
    await one.clients.create({ ...client, id }, { sharedDigest: digest });
    expect(await found(digest)).toBe(id);
    await one.clients.replace({ client: { ...client, ...change, id, version: 2 } });
    expect(await found(digest), JSON.stringify(change)).toBeUndefined();
    version = 3;
    await one.clients.replace({ client: { ...client, id, version } });
    expect(await found(digest), 'it is not found again').toBeUndefined();
  }
  await one.clients.delete(client.id, NOW);
  expect(await found()).toBeUndefined();
  expect(await one.clients.create(client, { sharedDigest: DIGEST })).toBe('created');
});

it('lets only a client end later that ends unless it is used, and has not', async () => {
  const { one } = await twoProcesses();
  const open = { origin: 'open_registration' as const, expiresAt: after(100) };
  const extend = (id: string, expiresAt = after(500)) =>
    one.clients.extendUnused(anId(id), { now: NOW, expiresAt });
  const endOf = async (id: string) => (await one.clients.find(anId(id)))?.expiresAt;
  await one.clients.create(aClient({ id: anId('unused'), ...open }));
  expect(await extend('unused')).toBe(true);
  expect(await endOf('unused')).toBe(after(500));
  expect(await extend('unused', after(300))).toBe(true);
  expect(await endOf('unused')).toBe(after(500));
  await one.clients.create(aClient({ id: anId('endless') }));
  await one.clients.create(aClient({ id: anId('ended'), ...open, expiresAt: NOW }));
  await one.clients.create(aClient({ id: anId('used'), ...open }));
  await one.clients.markUsed([anId('used')], NOW, 300);
  await one.clients.create(aClient({ id: anId('lasting'), expiresAt: after(100), lastUsedAt: NOW }));
  for (const id of ['endless', 'ended', 'used', 'lasting', 'unknown'])
    expect(await extend(id), id).toBe(false);
  expect(await endOf('ended')).toBe(NOW);
});
