import type { Client } from '@vestibule/clients';
import type { SessionRecord } from '@vestibule/tokens/provider';
import { expect, it, vi } from 'vitest';
import type { Database } from '../open-database.js';
import type { Statement } from '../statement.js';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  isRevoked,
  NOW,
  race,
  twoProcesses,
} from '../testing/fixtures.js';
import { countRows, holdingRows, query, untilWaiting, whileChanging } from '../testing/test-database.js';
import { LOGOUT_SESSION_STATEMENTS } from './logout-sessions.js';

const SESSION = { id: 'session', subject: 'alice' };
const COOKIE = aDigest('cookie');

const METADATA = {
  a: {
    client_name: 'A',
    'client_name#de': 'Ä',
    client_uri: 'https://a.example/',
    frontchannel_logout_uri: 'https://a.example/front',
    frontchannel_logout_session_required: true,
    backchannel_logout_uri: 'https://a.example/back',
  },
  b: { backchannel_logout_uri: 'https://b.example/back', subject_type: 'pairwise' },
  c: {},
};

/** A session of alice at the clients a, b and c, with tokens that end with it and others that do not. */
async function aSession() {
  const processes = await twoProcesses();
  const { one, url } = processes;
  for (const [id, metadata] of Object.entries(METADATA)) {
    await one.clients.create(aClient({ id: anId(id), metadata: metadata as unknown as Client['metadata'] }));
    await addTokens(one, id);
  }
  await save(one);
  return { ...processes, url };
}

function save({ providerRecords }: Database, deviation: Partial<SessionRecord> = {}) {
  const clients = ['a', 'b', 'c'].map((id) => ({ clientId: id, sid: `sid-${id}` }));
  const session = { ...SESSION, cookieDigest: COOKIE, payload: {}, expiresAt: after(600), clients };
  return providerRecords.sessions.save({ ...session, ...deviation }, NOW);
}

async function addTokens({ accessTokens, providerRecords }: Database, id: string): Promise<void> {
  const clientId = anId(id);
  for (const sessionId of ['session', `sid-${id}`, 'another'])
    await accessTokens.insert(aDigest(`${id} ${sessionId}`), anAccessToken({ clientId, sessionId }));
  const token = { clientId, scope: '', issuedAt: NOW, expiresAt: after(600), payload: {} };
  await providerRecords.refreshTokens.save(aDigest(`${id} online`), { ...token, sessionId: `sid-${id}` });
  await providerRecords.refreshTokens.save(aDigest(`${id} offline`), token);
}

const left = async (url: string, table: string) =>
  (
    await query<{ client_id: string; session_id: string | null }>(
      url,
      `SELECT client_id, session_id FROM ${table} ORDER BY client_id, session_id`,
    )
  ).map(({ client_id, session_id }) => `${client_id} ${session_id}`);

const deliveries = (url: string) =>
  query(url, 'SELECT client_id, uri, subject, sid FROM logout_delivery ORDER BY client_id');

const FRONT = {
  clientId: 'a',
  sid: 'sid-a',
  metadata: {
    client_name: 'A',
    'client_name#de': 'Ä',
    frontchannel_logout_uri: 'https://a.example/front',
    frontchannel_logout_session_required: true,
  },
};

/** The expected clients of the ended session, with the identifiers of their notifications. */
async function endedClients(url: string, ids = ['a', 'b', 'c']) {
  const rows = await query<{ id: string; client_id: string }>(
    url,
    'SELECT id::text, client_id FROM logout_delivery',
  );
  return ids.map((id) => {
    const deliveryId = rows.find(({ client_id }) => client_id === id)?.id;
    const shown = id === 'a' ? FRONT : { clientId: id, sid: `sid-${id}`, metadata: {} };
    return { ...shown, ...(deliveryId !== undefined && { deliveryId }) };
  });
}

const NOTIFIED = {
  a: { client_id: 'a', uri: 'https://a.example/back', subject: 'alice', sid: 'sid-a' },
  b: { client_id: 'b', uri: 'https://b.example/back', subject: null, sid: 'sid-b' },
};

it('finds a live session with an end-user by any digest of its cookie, with the sid of each client', async () => {
  const { one } = await aSession();
  const { logoutSessions } = one;
  const found = await logoutSessions.findByCookie([aDigest('other'), COOKIE], NOW);
  expect(found).toMatchObject(SESSION);
  expect(found?.clients.toSorted((a, b) => a.sid.localeCompare(b.sid))).toEqual(
    ['a', 'b', 'c'].map((id) => ({ clientId: id, sid: `sid-${id}` })),
  );
  expect(await logoutSessions.findByCookie([aDigest('other')], NOW)).toBeUndefined();
  expect(await logoutSessions.findByCookie([COOKIE], after(600))).toBeUndefined();
});

it('finds the session of the first of several cookies, like the authorization server', async () => {
  const { one } = await aSession();
  for (const name of ['second', 'third'])
    await save(one, { id: name, cookieDigest: aDigest(name), clients: [] });
  const names = ['third', 'cookie', 'second'];
  for (const [index, id] of ['third', 'session', 'second'].entries()) {
    const digests = names.slice(index).map(aDigest);
    expect(await one.logoutSessions.findByCookie(digests, NOW)).toMatchObject({ id });
  }
});

it('ends a session and its tokens, and queues a notification for each client that is registered for back-channel logout', async () => {
  const { one, url } = await aSession();
  const notified = await one.logoutSessions.end(SESSION, NOW);
  expect(notified).toEqual(await endedClients(url));
  expect(notified?.map(({ deliveryId }) => deliveryId !== undefined)).toEqual([true, true, false]);
  expect(await left(url, 'session_client')).toEqual([]);
  expect(await left(url, 'access_token')).toEqual(['a another', 'b another', 'c another']);
  expect(await left(url, 'refresh_token')).toEqual(['a null', 'b null', 'c null']);
  expect(await deliveries(url)).toEqual([NOTIFIED.a, NOTIFIED.b]);
  const jwt = { issuer: 'i', jti: 'j', clientId: anId('b'), sessionId: 'sid-b', earliestIssuedAt: NOW };
  expect(await isRevoked(one, jwt)).toBe(true);
  expect(await one.logoutSessions.end(SESSION, NOW)).toBeUndefined();
});

it('ends a session once, however many processes try, and never its successor', async () => {
  const { one, other, url } = await aSession();
  expect(await one.logoutSessions.end({ ...SESSION, subject: 'bob' }, NOW)).toBeUndefined();
  const results = await race([one, other], 50, ({ logoutSessions }) => logoutSessions.end(SESSION, NOW));
  expect(results.filter((result) => result !== undefined)).toEqual([await endedClients(url)]);
  expect(await deliveries(url)).toEqual([NOTIFIED.a, NOTIFIED.b]);
  const clients = ['a', 'b', 'c'].map((id) => ({ clientId: id, sid: `next-sid-${id}` }));
  await save(one, { id: 'next', clients });
  expect(await one.logoutSessions.end(SESSION, NOW)).toBeUndefined();
  expect(await left(url, 'session_client')).toEqual(['a next', 'b next', 'c next']);
});

it('ends a session at one client only, once, and notifies no other client', async () => {
  const { one, other, url } = await aSession();
  const leave = ({ logoutSessions }: Database) => logoutSessions.leave(SESSION, anId('a'), NOW);
  const results = await race([one, other], 20, leave);
  expect(results.filter((result) => result !== undefined)).toEqual([await endedClients(url, ['a'])]);
  expect(await left(url, 'session_client')).toEqual(['b session', 'c session']);
  expect(await left(url, 'access_token')).toEqual([
    'a another',
    ...['b', 'c'].flatMap((id) => [`${id} another`, `${id} session`, `${id} sid-${id}`]),
  ]);
  expect(await left(url, 'refresh_token')).toEqual(['a null', 'b sid-b', 'b null', 'c sid-c', 'c null']);
  expect(await deliveries(url)).toEqual([NOTIFIED.a]);
  expect(await one.logoutSessions.leave(SESSION, anId('c'), NOW)).toEqual(await endedClients(url, ['c']));
  expect(await one.logoutSessions.leave({ ...SESSION, subject: 'bob' }, anId('b'), NOW)).toBeUndefined();
});

/** A statement of a logout with its values inserted. */
function written({ text }: Statement, values: readonly (string | number)[]): string {
  return text.replaceAll(/\$(\d)/g, (_whole, number) => {
    const value = values[Number(number) - 1];
    return typeof value === 'number' ? String(value) : `'${value}'`;
  });
}

const END = written(LOGOUT_SESSION_STATEMENTS.end, ['session', 'alice', NOW]);
const LEAVE = written(LOGOUT_SESSION_STATEMENTS.leave, ['session', 'alice', NOW, 'a']);

it('keeps an ended session ended when a request saves it that had read it before', async () => {
  const { one, url } = await aSession();
  await one.logoutSessions.end(SESSION, NOW);
  await save(one);
  expect(await countRows(url, 'session')).toBe(0);
  expect(await left(url, 'session_client')).toEqual([]);
});

it('keeps an ended session ended when it is saved while it ends', async () => {
  const { one, url } = await aSession();
  const { result } = await whileChanging(url, END, () => save(one));
  await result;
  expect(await countRows(url, 'session')).toBe(0);
  expect(await left(url, 'session_client')).toEqual([]);
});

it('does not add a client again to a session that ended at this client, until the next login there', async () => {
  const { one, url } = await aSession();
  await one.logoutSessions.leave(SESSION, anId('a'), NOW);
  await save(one);
  expect(await left(url, 'session_client')).toEqual(['b session', 'c session']);
  await save(one, { clients: [{ clientId: 'a', sid: 'sid-of-the-next-login' }] });
  expect(await left(url, 'session_client')).toEqual(['a session', 'b session', 'c session']);
});

it('does not add a client again to a session that is saved while it ends at this client', async () => {
  const { one, url } = await aSession();
  const { result } = await whileChanging(url, LEAVE, () => save(one));
  await result;
  expect(await left(url, 'session_client')).toEqual(['b session', 'c session']);
});

it('does not deadlock when a session ends and ends at one client at the same time', async () => {
  const { url } = await aSession();
  const tokens = "SELECT FROM access_token WHERE session_id = 'sid-a'";
  const { result } = await holdingRows(url, tokens, async () => {
    const ending = query(url, END);
    const endingProcess = await untilWaiting(url);
    const leaving = query(url, LEAVE);
    await vi.waitFor(async () => {
      const blocked = `SELECT FROM pg_stat_activity WHERE ${endingProcess} = ANY(pg_blocking_pids(pid))`;
      expect(await query(url, blocked)).toHaveLength(1);
    }, 60_000);
    return { result: Promise.all([ending, leaving]) };
  });
  await expect(result).resolves.toMatchObject([
    [{ client_id: 'a' }, { client_id: 'b' }, { client_id: 'c' }],
    [],
  ]);
});
