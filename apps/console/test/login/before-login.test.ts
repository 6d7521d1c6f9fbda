import { html } from '@vestibule/http/pages';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { Type } from 'typebox';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.js';
import { consoleAction, consolePage } from '../../src/frame/console-route.js';
import { SECTIONS } from '../../src/frame/layout.js';
import { SCRIPT_PATH, STYLE_PATH } from '../../src/frame/static-files.js';
import { consoleSessions } from '../../src/login/console-sessions.js';
import { consoleLimits } from '../../src/login/limits.js';
import { sessionCookie } from '../../src/login/session-cookie.js';
import { sessionEnds } from '../../src/login/session-ends.js';
import { allPages } from '../../src/pages/all-pages.js';
import { buildTestConsole, FORM_TOKEN, ORIGIN } from '../support/build-test-console.js';

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
  const here = await buildTestConsole();
  const { clock, store } = here;
  const page = consolePage({
    path: '/page',
    query: Type.Object({}),
    show: async () => ({ title: 'Page', content: html`<p>Here</p>` }),
  });
  const action = consoleAction({
    path: '/page/act',
    role: 'operator',
    form: Type.Object({}),
    perform: async () => ({ goTo: '/page' }),
  });
  const ends = sessionEnds({
    records: store.database.providerRecords,
    clock,
    clientId: 'vestibule-console',
    sessionSeconds: 600,
  });
  const cookie = sessionCookie({ encryptor: store.encryptor, clock, isSecure: true });
  const { admitPage, admitAction } = consoleLimits(tokenBuckets({ clock }), true);
  const app = buildApp(
    {
      sessions: consoleSessions(cookie, ends, () => undefined),
      liveStreams: here.streams,
      origin: ORIGIN,
      recordRefusal: async () => undefined,
      admitPage,
      admitAction,
    },
    [page, action],
    { logger: false },
  );
  onTestFinished(() => app.close());
  const headers = { ...FORM, cookie: await here.cookieOf('operator') };
  const act = () =>
    app.inject({ method: 'POST', url: '/page/act', headers, payload: `form_token=${FORM_TOKEN}` });
  for (let count = 0; count < 120; count += 1) expect((await act()).statusCode).toBe(303);
  const refused = await act();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.payload).toContain('Too many requests');
  clock.advanceSeconds(1);
  expect((await act()).statusCode).toBe(303);
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
