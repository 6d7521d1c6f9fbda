import { memoryLog } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { aTestService, BACK } from '../support/test-service.js';
import { fieldsOf, postDecision, submit, titleOf, visit } from '../support/visit.js';

const POST = { method: 'POST', url: '/logout' } as const;
const FORM = 'application/x-www-form-urlencoded';

it('responds to malformed requests with a page, and changes nothing', async () => {
  const { app } = await aTestService();
  const broken = [
    { method: 'GET', url: '/logout?state=1&state=2' },
    { method: 'GET', url: '/logout?state=%ff' },
    { method: 'GET', url: '/logout?id_token_hint=a%00b' },
    { ...POST, headers: { 'content-type': 'application/json' }, payload: '{}' },
    { ...POST, headers: { 'content-type': FORM }, payload: 'client_id=a&client_id=b' },
    { ...POST, headers: { 'content-type': FORM }, payload: 'state=%zz' },
    { ...POST, headers: { 'content-type': FORM }, payload: `state=${'x'.repeat(40_000)}` },
    { ...POST, headers: { 'content-type': FORM }, payload: 'confirmation=x&decision=perhaps' },
    POST,
  ] as const;
  for (const request of broken) {
    const { statusCode, headers, body } = await app.inject(request);
    expect(statusCode, JSON.stringify(request)).toBe(400);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(titleOf({ body })).toBe('Something went wrong');
    expect(body).toContain('<a class="way" href="/logout">Go to the logout page</a>');
  }
  const german = await app.inject({ url: '/logout?state=1&state=2', headers: { 'accept-language': 'de' } });
  expect(titleOf(german)).toBe('Etwas ist schiefgelaufen');
});

it('uses the language of ui_locales even for malformed requests, by GET and POST', async () => {
  const { app } = await aTestService();
  const headers = { 'accept-language': 'fr', 'content-type': FORM };
  const requests = [
    { url: '/logout?ui_locales=xx%20de&state=1&state=2', headers },
    { url: '/logout?state=%ff&ui_locales=de', headers },
    { url: '/logout?ui_locales=de&ui_locales=es', headers },
    { url: `/logout?ui_locales=de&state=${'x'.repeat(3_000)}`, headers },
    { method: 'PUT', url: '/logout?ui_locales=de', headers },
    { ...POST, headers, payload: `ui_locales=de&state=${'x'.repeat(3_000)}` },
    { ...POST, headers, payload: 'ui_locales=de&confirmation=x&decision=perhaps' },
  ] as const;
  for (const request of requests)
    expect(titleOf(await app.inject(request)), JSON.stringify(request).slice(0, 80)).toBe(
      'Etwas ist schiefgelaufen',
    );
  expect(titleOf(await app.inject({ url: '/logout?state=1&state=2&ui_locales=%ff', headers }))).toBe(
    'Un problème est survenu',
  );
});

it('accepts only GET and POST at its path, and nothing elsewhere', async () => {
  const { app } = await aTestService();
  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const { statusCode, headers } = await app.inject({ method, url: '/logout' });
    expect({ statusCode, allow: headers.allow }, method).toEqual({ statusCode: 405, allow: 'GET, POST' });
  }
  for (const url of ['/', '/logout/', '/Logout', '/logout/x', '/clients'])
    expect(await app.inject(url), url).toMatchObject({ statusCode: 404, body: '' });
});

it('can be at another path', async () => {
  const { app } = await aTestService({ settings: { LOGOUT_PATH: '/session/end' } });
  expect(titleOf(await app.inject('/session/end'))).toBe('You’re not logged in');
  expect((await app.inject('/logout')).statusCode).toBe(404);
});

it('shows an error page and ends nothing if the store fails', async () => {
  const service = await aTestService();
  const { app, store, logIn, idToken, register } = service;
  await register('a');
  const login = await logIn(['a']);
  const request = { id_token_hint: await idToken('a'), post_logout_redirect_uri: BACK };
  const page = await visit(app, request, login);
  await store.close();
  for (const failed of [
    await visit(app, request, login),
    await submit(app, { ...fieldsOf(page), decision: 'accept' }, login),
  ]) {
    expect(failed).toMatchObject({ status: 500, location: undefined, setCookie: undefined });
    expect(titleOf(failed)).toBe('Something went wrong');
  }
});

it('shows an error page and ends nothing if it is unknown whether a confirmation was used before', async () => {
  const service = await aTestService({ deps: { replays: { recordUse: async () => 'unavailable' } } });
  const { app, sql, logIn } = service;
  const login = await logIn();
  const page = await visit(app, {}, login);
  expect(await postDecision(app, page, 'accept', login)).toMatchObject({ status: 500 });
  expect(await sql('SELECT id FROM session')).toHaveLength(1);
});

it('logs no hint, state, cookie or confirmation', async () => {
  const log = memoryLog();
  const { app, logIn, idToken, register } = await aTestService({ logger: log.logger });
  await register('a');
  const login = await logIn(['a']);
  const hint = await idToken('a');
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK, state: 'a-secret-state' };
  const page = await visit(app, request, login);
  const { confirmation = 'none' } = fieldsOf(page);
  await postDecision(app, page, 'accept', login);
  await visit(app, { ...request, state: 'a-secret-state'.repeat(200) }, login);
  const text = log.text();
  expect(text).toContain('/logout');
  for (const secret of [hint, 'a-secret-state', confirmation, login.cookie.split('=')[1] ?? '', BACK])
    expect(text.includes(secret)).toBe(false);
});
