import { foreignSql } from '@vestibule/local-services/testing';
import { expect, it } from 'vitest';
import { buildTestConsole } from '../support/build-test-console.js';
import { consoleWithoutSessions } from '../support/console-without-sessions.js';
import { shownPage } from '../support/shown-page.js';

const PATHS = ['/none', '/clients/x/none', '/favicon.ico', '/%2e%2e/none', '/none?a=%'];

it('has a page with a way back for a path without a page or an action, with any method', async () => {
  const { app, get, cookieOf } = await buildTestConsole();
  for (const path of PATHS) {
    const response = await get(path);
    expect(response.status, path).toBe(404);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const { alerts, links } = shownPage(response);
    expect(alerts).toEqual(['No page of the console has this address.']);
    expect(links).toMatchObject({ 'Go to the overview': '/', Clients: '/clients' });
  }
  const headers = { cookie: await cookieOf('admin'), 'content-type': 'application/json' };
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
    const { statusCode } = await app.inject({ method, url: '/none', headers, payload: '{' });
    expect(statusCode, method).toBe(404);
  }
});

it('says nothing at such a path before a login, or while sessions cannot be checked', async () => {
  const { app } = await buildTestConsole();
  const unchecked = await consoleWithoutSessions();
  for (const url of PATHS)
    for (const response of [
      await app.inject({ url }),
      await app.inject({ url, headers: { cookie: '__Host-vestibule_console=none' } }),
      await app.inject({ url, method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'x' }),
      await unchecked.app.inject({ url, headers: { cookie: unchecked.cookie } }),
    ]) {
      expect([response.statusCode, response.payload], url).toEqual([404, '']);
      expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
    }
});

it('shows any other fault of that check as a fault', async () => {
  const { app, databaseUrl, cookieOf, problems } = await buildTestConsole();
  const headers = { cookie: await cookieOf('admin') };
  const sql = await foreignSql(databaseUrl);
  await sql('ALTER TABLE artifact RENAME TO artifact_away');
  const { statusCode, payload } = await app.inject({ url: '/none', headers });
  expect(statusCode).toBe(500);
  expect(payload).toContain('Something went wrong');
  expect(payload).not.toMatch(/<nav|artifact/);
  expect(problems).toHaveLength(1);
});

it('counts such a page as one that the person opens', async () => {
  const { get } = await buildTestConsole({}, { hasRateLimits: true });
  for (let count = 0; count < 600; count += 1) expect((await get('/none')).status).toBe(404);
  const refused = await get('/none');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
});
