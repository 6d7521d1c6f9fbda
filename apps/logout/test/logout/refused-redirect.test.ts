import { expect, it } from 'vitest';
import type { RefusedRedirect } from '../../src/refused-redirect.js';
import { aTestService, BACK } from '../support/test-service.js';
import { visit } from '../support/visit.js';

const NOT_REGISTERED = 'post_logout_redirect_uri is not registered for this application';
const UNPROVEN = 'post_logout_redirect_uri came without an id_token_hint that proves which application asks';

it('tells the log why an address was refused, whether somebody is logged in or not, and nothing of the request', async () => {
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

it('says that an address is not registered where client_id alone names the application', async () => {
  const refusals: RefusedRedirect[] = [];
  const { app, register } = await aTestService({
    settings: { LOGOUT_REDIRECT_WITHOUT_HINT: 'true' },
    deps: { onRedirectRefused: (refusal) => refusals.push(refusal) },
  });
  await register('a');
  await visit(app, { client_id: 'a', post_logout_redirect_uri: `${BACK}/other` });
  expect(refusals).toEqual([{ reason: NOT_REGISTERED }]);
});
