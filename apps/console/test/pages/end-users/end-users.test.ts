import { subjectTarget } from '@vestibule/database/audit';
import { aClient, aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { formOf, shownPage } from '../../support/shown-page.js';
import { anEndUsersConsole } from './end-users-console.js';

describe('an end-user', () => {
  it('is found by the subject, with the sessions, the applications of each, and what happens when it ends', async () => {
    const { get, login } = await anEndUsersConsole();
    await login('first');
    await login('of-bob', 'bob');
    const { text, links } = shownPage(await get('/end-users?subject=alice'));
    expect(text).toMatch(/Sessions of alice first State live Opened \d{4}-\d\d-\d\d/);
    expect(text).toMatch(/back Wiki first-back notified by the back channel/);
    expect(text).toMatch(/front first-front loaded in the browser at a logout there/);
    expect(text).toMatch(/none first-none not notified: it registers no logout URI/);
    expect(text).not.toContain('of-bob');
    expect(links['first']).toBe('/end-users/session?session=first');
    expect(links['What was done about this end-user']).toBe(
      `/audit?${new URLSearchParams({ target: subjectTarget('alice') })}`,
    );
  });

  it('can have no sessions, and is asked for without a subject', async () => {
    const { get } = await anEndUsersConsole();
    expect(shownPage(await get('/end-users?subject=carol')).text).toContain('There are no sessions.');
    for (const address of ['/end-users', '/end-users?subject=']) {
      const { forms } = shownPage(await get(address));
      expect(forms.map(({ action }) => action)).toEqual(['/logout', '/end-users', '/end-users/session']);
    }
  });

  it('can have many sessions and applications, in pages', async () => {
    const { get, login, store } = await anEndUsersConsole();
    const ids = Array.from({ length: 12 }, (_, index) => `client-${index}`);
    for (const id of ids) await store.database.clients.create(aClient({ id: aClientId(id) }));
    for (let index = 0; index < 12; index += 1) await login(`session-${index}`, 'alice', ids);
    const seen: string[] = [];
    let address: string | undefined = '/end-users?subject=alice';
    while (address !== undefined) {
      const response = await get(address);
      expect(response.text.length).toBeLessThan(60_000);
      const { links } = shownPage(response);
      seen.push(...Object.keys(links).filter((name) => name.startsWith('session-')));
      address = links['Older'];
    }
    expect(seen.toSorted()).toEqual(ids.map((_, index) => `session-${index}`).toSorted());
    expect(shownPage(await get('/end-users?subject=alice&older=x')).alerts).toHaveLength(1);
  });

  it('can have a hostile subject', async () => {
    const { get, login } = await anEndUsersConsole();
    for (const [index, text] of Object.values(HOSTILE_TEXTS).entries()) {
      await login(`s${index}`, text);
      const response = await get(`/end-users?${new URLSearchParams({ subject: text })}`);
      expect(response.status).toBe(200);
      const { elements, links, forms } = shownPage(response);
      expect(elements.has('img')).toBe(false);
      expect(response.text).not.toMatch(/<script>global/);
      expect(links[`s${index}`]).toBe(`/end-users/session?session=s${index}`);
      expect(forms.find(({ action }) => action === '/end-users')?.fields['subject']).toBe(
        text.replaceAll('\r\n', '\n'),
      );
    }
  });
});

describe('a session', () => {
  it('is found by its identifier and by the sid of an application', async () => {
    const { get, login } = await anEndUsersConsole();
    await login('first');
    for (const name of ['first', 'first-front'])
      expect(shownPage(await get(`/end-users/session?session=${name}`)).text).toMatch(
        /End-user alice State live .*back Wiki first-back/,
      );
  });

  it('that has ended is shown by its notifications; one that never was is not found', async () => {
    const { get, post, login } = await anEndUsersConsole();
    await login('first');
    await post('/end-users/session/end', { session: 'first', confirmation: 'alice' }, 'operator');
    const { text } = shownPage(await get('/end-users/session?session=first'));
    expect(text).toMatch(/The session has ended. .*back pending/);
    const unknown = await get('/end-users/session?session=other');
    expect(unknown.status).toBe(404);
    expect(formOf(unknown, '/end-users/session')?.fields['session']).toBe('other');
    expect((await get('/end-users/session')).status).toBe(400);
  });
});
