import { createHash } from 'node:crypto';
import { epochSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import type { SessionRecord } from '@vestibule/tokens/provider';
import { expect, it, onTestFinished } from 'vitest';
import { aClient, aDigest, after, anId, NOW, twoProcesses } from '../testing/fixtures.js';
import { countRows, query } from '../testing/test-database.js';

const master = { actor: 'master', clock: frozenClock(NOW * 1000) } as const;

function aSession(id: string): SessionRecord {
  return {
    id,
    cookieDigest: aDigest(`cookie of ${id}`),
    subject: 'alice@example.org',
    payload: {},
    expiresAt: after(600),
    clients: [{ clientId: anId('client'), sid: `sid of ${id}` }],
  };
}

function events(url: string): Promise<Record<string, unknown>[]> {
  return query(
    url,
    `SELECT actor, action, target, extract(epoch FROM occurred_at)::int AS at, details FROM audit_event ORDER BY id`,
  );
}

function event(action: string, session: string) {
  const digest = createHash('sha256').update(session).digest('hex').slice(0, 16);
  return { actor: 'master', action, target: `session:${digest}`, at: NOW, details: null };
}

it('records openings and ends of sessions with their actor, by any identifier, without the end-user', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient());
  const { sessions } = one.actingAs(master);
  for (const id of ['one', 'two']) await sessions.save(aSession(id), NOW);
  expect(await sessions.end('one', NOW)).toBe(true);
  expect(await sessions.end('sid of two', NOW)).toBe(true);
  expect((await events(url)).slice(1)).toEqual([
    event('session.opened', 'one'),
    event('session.opened', 'two'),
    event('session.ended', 'one'),
    event('session.ended', 'two'),
  ]);
  expect(JSON.stringify(await query(url, 'SELECT * FROM audit_event'))).not.toMatch(/alice|sid of|cookie/);
});

it('records nothing for unknown sessions, and one of parallel ends', async () => {
  const { url, one, other } = await twoProcesses();
  await one.clients.create(aClient());
  const [here, there] = [one.actingAs(master).sessions, other.actingAs(master).sessions];
  await here.save(aSession('one'), NOW);
  expect(await here.end('none', NOW)).toBe(false);
  const ends = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? here : there).end('one', NOW));
  expect((await Promise.all(ends)).filter((hasEnded) => hasEnded)).toHaveLength(1);
  expect((await events(url)).map(({ action }) => action)).toEqual([
    'client.registered',
    'session.opened',
    'session.ended',
  ]);
});

it('changes nothing when the event cannot be recorded', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient());
  const { sessions } = one.actingAs(master);
  await sessions.save(aSession('one'), NOW);
  await query(url, 'ALTER TABLE audit_event RENAME TO hidden');
  onTestFinished(async () => void (await query(url, 'ALTER TABLE hidden RENAME TO audit_event')));
  await expect(sessions.save(aSession('two'), NOW)).rejects.toThrow();
  await expect(sessions.end('one', epochSeconds(NOW + 1))).rejects.toThrow();
  expect(await countRows(url, 'session')).toBe(1);
});

it('records nothing for logins without an author', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient());
  await one.providerRecords.sessions.save(aSession('one'), NOW);
  await one.providerRecords.sessions.end('one', NOW);
  expect(await events(url)).toHaveLength(1);
});
