import { expect, it } from 'vitest';
import { buildTestConsole, FORM_TOKEN, ISSUER, ORIGIN } from '../support/build-test-console.js';
import { consoleWithoutSessions } from '../support/console-without-sessions.js';

const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: ORIGIN,
  'sec-fetch-site': 'same-origin',
};

/** A console that cannot look for sessions, with the headers of a form of an admin. */
async function aConsoleWithoutSessions() {
  const { app, cookie } = await consoleWithoutSessions();
  return { app, headers: { ...FORM, cookie } };
}

it('keeps what was typed while sessions cannot be checked, but never a pasted token', async () => {
  const { app, headers } = await aConsoleWithoutSessions();
  const typed = new URLSearchParams({ form_token: FORM_TOKEN, client_name: 'Typed name' });
  const kept = await app.inject({
    method: 'POST',
    url: '/clients/c/edit',
    headers,
    payload: typed.toString(),
  });
  expect([kept.statusCode, kept.payload.includes('Typed name')]).toEqual([503, true]);
  const pasted = new URLSearchParams({ form_token: FORM_TOKEN, token: 'a-pasted-token' });
  const refused = await app.inject({ method: 'POST', url: '/token', headers, payload: pasted.toString() });
  expect([refused.statusCode, refused.payload.includes('a-pasted-token')]).toEqual([503, false]);
});

it('keeps the query of a page in the link that tries again', async () => {
  const { app, headers } = await aConsoleWithoutSessions();
  const { statusCode, payload } = await app.inject({
    method: 'GET',
    url: '/audit?actor=master&from=2026-01-01',
    headers,
  });
  expect([statusCode, payload.includes('href="/audit?actor=master&amp;from=2026-01-01"')]).toEqual([
    503,
    true,
  ]);
});

it('offers a form that was opened before the latest login again, and carries nothing out before', async () => {
  const { post, store, get } = await buildTestConsole();
  const typed = { redirect_uris: 'https://shop.example/cb', client_name: 'Shop' };
  const earlier = await post('/clients/-/register', { ...typed, form_token: 'of-the-earlier-session' });
  expect(earlier.status).toBe(403);
  expect(earlier.text).toContain('You have logged in again since');
  expect((await store.database.clients.page({}, 5)).clients).toEqual([]);
  for (const value of [FORM_TOKEN, 'Shop', 'https://shop.example/cb'])
    expect(earlier.text).toContain(`value="${value}"`);
  expect((await post('/clients/-/register', typed)).status).toBe(200);
  expect((await get('/clients')).text).toContain('Shop');
});

it('offers a form whose session has ended again, after a login', async () => {
  const { app } = await buildTestConsole();
  const payload = new URLSearchParams({ form_token: 'x', client_name: 'Typed name' }).toString();
  const ended = await app.inject({ method: 'POST', url: '/clients/c/edit', headers: FORM, payload });
  expect(ended.statusCode).toBe(401);
  expect(ended.payload).toContain('Typed name');
  expect(ended.payload).toContain('href="/login"');
  expect(ended.payload).not.toContain(ISSUER);
});

it('records a hand-made request of a viewer also without a form of the session', async () => {
  const { post, refused } = await buildTestConsole();
  expect((await post('/clients/c/approve', { form_token: 'none' }, 'viewer')).status).toBe(403);
  expect(refused).toMatchObject([{ path: '/clients/:id/approve', required: 'operator' }]);
});

it.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])(
  'never offers a form of another site again: %o',
  async (forged) => {
    const { app, cookieOf } = await buildTestConsole();
    const payload = new URLSearchParams({ form_token: 'x', client_name: 'Chosen by them' }).toString();
    for (const cookie of [{}, { cookie: await cookieOf('admin') }]) {
      const headers = { ...FORM, ...forged, ...cookie };
      const { statusCode, payload: text } = await app.inject({
        method: 'POST',
        url: '/clients/c/edit',
        headers,
        payload,
      });
      expect([401, 403]).toContain(statusCode);
      expect(text).not.toContain('Chosen by them');
    }
  },
);
