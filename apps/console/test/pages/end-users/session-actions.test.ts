import { sessionTarget } from '@vestibule/database/audit';
import { describe, expect, it } from 'vitest';
import { formOf, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { anEndUsersConsole } from './end-users-console.js';

describe('ending one session', () => {
  it('notifies its applications and is recorded', async () => {
    const built = await anEndUsersConsole();
    await built.login('first');
    await built.login('second');
    const page = shownPage(await built.get('/end-users/session?session=first-back', 'operator'));
    const confirming = await built.get(page.links['End the session'] ?? '', 'operator');
    const form = formOf(confirming, '/end-users/session/end')?.fields;
    expect(form).toMatchObject({ session: 'first', confirmation: '' });
    for (const confirmation of ['', 'bob']) {
      const refused = await built.post('/end-users/session/end', { ...form, confirmation }, 'operator');
      expect(refused.status).toBe(400);
    }
    expect(await built.isLoggedIn('first')).toBe(true);
    const typed = { ...form, confirmation: 'alice' };
    const response = await built.post('/end-users/session/end', typed, 'operator');
    expect(response).toMatchObject({ status: 303, headers: { location: '/end-users?done=ended' } });
    expect([await built.isLoggedIn('first'), await built.isLoggedIn('second')]).toEqual([false, true]);
    const { text } = shownPage(await built.get('/end-users?subject=alice'));
    expect(text).toMatch(/Notifications of ended sessions .*back pending/);
    expect((await storedEvents(built)).at(-1)).toMatchObject({
      actor: 'operator:a-operator',
      action: 'session.ended',
    });
    const again = await built.post('/end-users/session/end', typed, 'operator');
    expect(again.status).toBe(404);
  });

  it('is not for viewers', async () => {
    const built = await anEndUsersConsole();
    await built.login('first');
    for (const path of ['/end-users/session/end', '/end-users/session/revoke']) {
      const typed = { session: 'first', confirmation: 'alice' };
      expect((await built.post(path, typed, 'viewer')).status).toBe(403);
      expect((await built.get('/end-users/session?session=first')).text).not.toContain(`"${path}`);
    }
    expect(built.refused.map(({ required }) => required)).toEqual(['operator', 'operator']);
    expect(await built.isLoggedIn('first')).toBe(true);
  });

  it('requires a session', async () => {
    const { post } = await anEndUsersConsole();
    for (const path of ['/end-users/session/end', '/end-users/session/revoke'])
      expect((await post(path, {}, 'operator')).status).toBe(400);
  });
});

it('revokes the tokens of a session, which goes on', async () => {
  const built = await anEndUsersConsole();
  await built.login('first');
  const path = '/end-users/session/revoke';
  expect((await built.post(path, { session: 'first' }, 'operator')).status).toBe(400);
  const typed = { session: 'first', confirmation: 'alice' };
  const response = await built.post(path, typed, 'operator');
  expect(response.headers['location']).toBe('/end-users/session?session=first&done=tokens-revoked');
  expect(await built.isLoggedIn('first')).toBe(true);
  expect((await storedEvents(built)).at(-1)).toMatchObject({
    actor: 'operator:a-operator',
    action: 'tokens.revoked',
  });
});

it('revokes the tokens of a session that is not stored here', async () => {
  const built = await anEndUsersConsole();
  const page = await built.get('/end-users/session?session=elsewhere', 'operator');
  expect(page.status).toBe(404);
  const path = '/end-users/session/revoke';
  const address = shownPage(page).links['Revoke every token of the session'] ?? '';
  const form = formOf(await built.get(address, 'operator'), path)?.fields;
  expect(form).toMatchObject({ session: 'elsewhere' });
  expect((await built.post(path, { ...form, confirmation: 'alice' }, 'operator')).status).toBe(400);
  expect((await built.post(path, { ...form, confirmation: 'elsewhere' }, 'operator')).status).toBe(303);
  expect((await storedEvents(built)).at(-1)).toMatchObject({ target: sessionTarget('elsewhere') });
});

describe.each([
  ['/end-users/end-sessions', 'all-ended', 'session.ended'],
  ['/end-users/revoke', 'revoked', 'tokens.revoked'],
])('%s', (path, notice, action) => {
  it('ends all sessions of the end-user and of no other, confirmed by typing, and is recorded', async () => {
    const built = await anEndUsersConsole();
    await built.login('first');
    await built.login('second');
    await built.login('of-bob', 'bob');
    const page = await built.get(`${path}?subject=alice`, 'admin');
    expect(formOf(page, path)?.fields).toMatchObject({ subject: 'alice', confirmation: '' });
    const refused = await built.post(path, { subject: 'alice', confirmation: 'bob' });
    expect(refused.status).toBe(400);
    expect(shownPage(refused).alerts).toEqual(['It differs: nothing was changed.']);
    expect(await built.isLoggedIn('first')).toBe(true);
    const response = await built.post(path, { subject: 'alice', confirmation: 'alice' });
    expect(response.headers['location']).toBe(`/end-users?subject=alice&done=${notice}`);
    const left = await Promise.all(['first', 'second', 'of-bob'].map(built.isLoggedIn));
    expect(left).toEqual([false, false, true]);
    expect((await storedEvents(built)).at(-1)).toMatchObject({ actor: 'operator:a-admin', action });
  });

  it('is for admins, and requires a subject', async () => {
    const built = await anEndUsersConsole();
    await built.login('first');
    for (const role of ['viewer', 'operator'] as const) {
      expect((await built.get(`${path}?subject=alice`, role)).status).toBe(403);
      expect((await built.post(path, { subject: 'alice', confirmation: 'alice' }, role)).status).toBe(403);
      const { links } = shownPage(await built.get('/end-users?subject=alice', role));
      expect(Object.values(links)).not.toContain(`${path}?subject=alice`);
    }
    expect(await built.isLoggedIn('first')).toBe(true);
    expect((await built.get(path, 'admin')).status).toBe(400);
    expect((await built.post(path, { confirmation: 'alice' })).status).toBe(400);
  });
});
