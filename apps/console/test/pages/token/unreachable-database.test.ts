import { openDatabase } from '@vestibule/database';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../../src/app.js';
import { consoleSessions } from '../../../src/login/console-sessions.js';
import { sessionCookie } from '../../../src/login/session-cookie.js';
import { tokenPages } from '../../../src/pages/token/token-pages.js';
import { FORM_TOKEN, ORIGIN } from '../../support/build-test-console.js';
import { formOf, shownPage } from '../../support/shown-page.js';
import { aTokenConsole } from './token-console.js';

it('offers to try again without the token in the page while the database cannot be reached', async () => {
  const built = await aTokenConsole();
  const token = await built.identifier();
  // No server listens on this port.
  const gone = openDatabase({ url: 'postgresql://127.0.0.1:1/none' });
  onTestFinished(() => gone.close());
  const { accessTokens, revocations } = gone;
  const deps = { ...built.deps, introspection: { ...built.deps.introspection, accessTokens, revocations } };
  const cookie = sessionCookie({ encryptor: built.store.encryptor, clock: built.clock, isSecure: true });
  const sessions = consoleSessions(cookie, built.ends, () => undefined);
  const options = {
    sessions,
    liveStreams: built.streams,
    origin: ORIGIN,
    recordRefusal: async () => undefined,
    admitPage: async () => undefined,
    admitAction: async () => undefined,
  };
  const app = buildApp(options, tokenPages(deps), { logger: false });
  onTestFinished(() => app.close());
  const response = await app.inject({
    method: 'POST',
    url: '/token',
    headers: {
      cookie: await built.cookieOf('viewer'),
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ form_token: FORM_TOKEN, token, caller: 'api' }).toString(),
  });
  expect(response.statusCode).toBe(503);
  const page = { text: response.payload };
  expect(page.text).not.toContain(token);
  expect(shownPage(page).alerts).toEqual(['The database cannot be reached.']);
  const { fields = {} } = formOf(page, '/token') ?? {};
  expect(shownPage(await built.post('/token', fields, 'viewer')).text).toMatch(/For api : Response active/);
});
