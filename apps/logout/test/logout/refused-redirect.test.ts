import { expect, it } from 'vitest';
import { BUILT_IN_LANGUAGES } from '../../src/languages/built-in-languages.js';
import type { RefusedRedirect } from '../../src/refused-redirect.js';
import { aTestService, BACK } from '../support/test-service.js';
import { postDecision, type Seen, visit } from '../support/visit.js';

const NOT_REGISTERED = 'post_logout_redirect_uri is not registered for this client';
const UNPROVEN =
  'post_logout_redirect_uri without a valid id_token_hint: the requesting client is not proven';

it('logs why an address was refused, with and without a session, and nothing of the request', async () => {
  const refusals: RefusedRedirect[] = [];
  const deps = { onRedirectRefused: (refusal: RefusedRedirect) => refusals.push(refusal) };
  const { app, register, logIn, idToken } = await aTestService({ deps });
  await register('a');
  const login = await logIn(['a']);
  const hint = await idToken('a', { sessionId: login.sid('a') });
  const other = `${BACK}/other`;
  const reasons = async (parameters: Readonly<Record<string, string>>, options = {}) => {
    refusals.length = 0;
    await visit(app, parameters, options);
    return [...refusals];
  };
  for (const options of [login, {}]) {
    expect(await reasons({ id_token_hint: hint, post_logout_redirect_uri: BACK }, options)).toEqual([]);
    expect(await reasons({ id_token_hint: hint }, options)).toEqual([]);
    expect(await reasons({ id_token_hint: hint, post_logout_redirect_uri: other }, options)).toEqual([
      { reason: NOT_REGISTERED, detail: 'a' },
    ]);
    for (const unproven of [{ client_id: 'a' }, { id_token_hint: 'x' }, { id_token_hint: `${hint}x` }])
      expect(await reasons({ ...unproven, post_logout_redirect_uri: BACK }, options)).toEqual([
        { reason: UNPROVEN },
      ]);
  }
});

it('says that an address is not registered if the client is named by client_id alone', async () => {
  const refusals: RefusedRedirect[] = [];
  const { app, register } = await aTestService({
    settings: { LOGOUT_REDIRECT_WITHOUT_HINT: 'true' },
    deps: { onRedirectRefused: (refusal) => refusals.push(refusal) },
  });
  await register('a');
  await visit(app, { client_id: 'a', post_logout_redirect_uri: `${BACK}/other` });
  expect(refusals).toEqual([{ reason: NOT_REGISTERED }]);
});

/** The notices of a page, without the marks around names. */
function noticesOf({ body }: Seen): readonly string[] {
  const notices = body.matchAll(/<p class="notice" role="alert">([^<]*)<\/p>/g);
  return [...notices].map(([, text = '']) => text.replaceAll(/[\u2068\u2069]/g, ''));
}

it('says on the page, in every language, that the address is not registered for the app, and links on', async () => {
  const { app, register, logIn, idToken } = await aTestService();
  await register('a', { client_name: 'Example', client_uri: 'https://a.example/' });
  const login = await logIn(['a']);
  const hint = await idToken('a', { sessionId: login.sid('a') });
  const request = { id_token_hint: hint, post_logout_redirect_uri: `${BACK}/other` };
  expect(BUILT_IN_LANGUAGES.size).toBe(16);
  for (const [tag, { messages }] of BUILT_IN_LANGUAGES) {
    const expected = [messages.redirectNotRegistered.replace('{client}', 'Example')];
    const confirmationPage = await visit(app, { ...request, ui_locales: tag }, login);
    const later = await visit(app, { ...request, ui_locales: tag });
    for (const page of [confirmationPage, later]) {
      expect(page).toMatchObject({ status: 200, location: undefined });
      expect(noticesOf(page), tag).toEqual(expected);
    }
    expect(later.body).toContain('<a class="way" href="https://a.example/"');
    const unproven = { client_id: 'a', post_logout_redirect_uri: BACK, ui_locales: tag };
    expect(noticesOf(await visit(app, unproven, login)), tag).toEqual([messages.redirectRefused]);
  }
});

it('says so after each decision too, and redirects nowhere', async () => {
  const { app, register, logIn, idToken } = await aTestService();
  await register('a', { client_name: 'Example' });
  for (const decision of ['decline', 'accept'] as const) {
    const login = await logIn(['a']);
    const hint = await idToken('a', { sessionId: login.sid('a') });
    const confirmationPage = await visit(
      app,
      { id_token_hint: hint, post_logout_redirect_uri: `${BACK}/other` },
      login,
    );
    const page = await postDecision(app, confirmationPage, decision, login);
    expect(page).toMatchObject({ status: 200, location: undefined });
    expect(noticesOf(page)).toEqual([
      'The web address to return to isn’t registered for Example, so you’ll stay here.',
    ]);
    expect(page.body).toContain('You can close this window.');
  }
});
