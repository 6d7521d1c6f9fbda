import { expect, it } from 'vitest';
import { SECTIONS } from '../../src/frame/layout.js';
import { SCRIPT_PATH, STYLE_PATH } from '../../src/frame/static-files.js';
import { allPages } from '../../src/pages/all-pages.js';
import { buildTestConsole } from '../support/build-test-console.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

it('serves nothing before a login but the login and two static files', async () => {
  const { app, deps } = await buildTestConsole();
  expect(allPages(deps).length).toBeGreaterThan(0);
  for (const { method, path } of allPages(deps)) {
    const url = path.replaceAll(/:\w+/g, 'x');
    const { statusCode, headers, payload } = await app.inject({
      method,
      url,
      ...(method === 'POST' && { headers: FORM, payload: 'form_token=x' }),
    });
    const expected =
      method === 'GET' ? [303, `/login?${new URLSearchParams({ to: url })}`] : [401, undefined];
    expect([statusCode, headers.location], `${method} ${url}`).toEqual(expected);
    expect(headers['cache-control'], url).toBe('no-store');
    expect(payload.includes('<nav'), url).toBe(false);
  }
  for (const url of [STYLE_PATH, SCRIPT_PATH]) expect((await app.inject(url)).statusCode).toBe(200);
  for (const [url] of SECTIONS) expect([303, 404]).toContain((await app.inject(url)).statusCode);
});

it('limits the actions of a person, and tells when to try again', async () => {
  const { post, clock } = await buildTestConsole({}, { hasRateLimits: true });
  const act = () => post('/federation/purge', {}, 'operator');
  for (let count = 0; count < 120; count += 1) expect((await act()).status).toBe(303);
  const refused = await act();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.text).toContain('Too many requests');
  // Each person has a limit of their own.
  expect((await post('/federation/purge', {}, 'admin')).status).toBe(303);
  clock.advanceSeconds(1);
  expect((await act()).status).toBe(303);
});

it('limits the pages of a person, also the stream of live figures, and tells when to try again', async () => {
  const here = await buildTestConsole({}, { hasRateLimits: true });
  for (let count = 0; count < 600; count += 1) {
    // Most of them before a page is rendered, so that the test is fast.
    const { status } = await here.get(count === 0 ? '/session' : '/keys/none');
    expect(status).toBe(count === 0 ? 200 : 404);
  }
  const refused = await here.get('/session');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.text).toContain('Too many requests');
  const headers = { cookie: await here.cookieOf('viewer') };
  const live = await here.app.inject({ url: '/live', headers });
  expect([live.statusCode, live.headers['retry-after']]).toEqual([429, '1']);
  // Each person has a limit of their own.
  expect((await here.get('/session', 'operator')).status).toBe(200);
  here.clock.advanceSeconds(1);
  expect((await here.get('/session')).status).toBe(200);
});
