import { readAsOldScript, scriptsIn } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { aTestService, BACK } from '../support/test-service.js';
import { postDecision, submit, visit } from '../support/visit.js';

/** The pages with scripts: the one that posts a form again, and those that load front-channel pages. */
async function pagesWithScripts() {
  const { app, register, logIn, idToken } = await aTestService();
  await register('a', {
    frontchannel_logout_uri: 'https://a.example/front',
    backchannel_logout_uri: 'https://a.example/back',
  });
  await register('b', { frontchannel_logout_uri: 'https://b.example/front' });
  const login = await logIn(['a', 'b']);
  const hint = await idToken('a', { sessionId: login.sid('a') });
  const request = { id_token_hint: hint, post_logout_redirect_uri: BACK };
  const crossSite = await submit(app, request, { headers: { 'sec-fetch-site': 'cross-site' } });
  const asking = await visit(app, request, login);
  const declined = await postDecision(app, asking, 'decline', login);
  const accepted = await postDecision(app, await visit(app, {}, login), 'accept', login);
  return [crossSite, asking, declined, accepted];
}

it('serves scripts in ECMAScript 5 syntax', async () => {
  const scripts = (await pagesWithScripts()).map(({ body }) => scriptsIn(body));
  expect(scripts.map(({ length }) => length)).toEqual([1, 0, 1, 1]);
  for (const script of scripts.flat()) expect(() => readAsOldScript(script), script).not.toThrow();
});
