import type { AgreedSettings, SessionCookieSettings } from '@vestibule/database/agreed-settings';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { members, post } from '../support/calls.js';

const cookie = (name: string): SessionCookieSettings => ({ name, path: '/', sameSite: 'lax' });
const page = (name: string): AgreedSettings => ({
  issuer: ISSUER,
  logout: { sessionCookie: cookie(name), logoutPath: '/logout' },
});
const joined = (name: string): AgreedSettings => ({
  issuer: ISSUER,
  provider: { sessionCookie: cookie(name), logoutPath: '/logout', isJoined: true },
});

async function createFixture() {
  const { app, store, clock } = await buildTestApp({ OPENID_PROVIDER_ENABLED: 'false' });
  const open = async () => members(await post(app, '/direct-authz/sessions', { sub: 'alice' }))['cookie'];
  const announce = (program: string, settings: AgreedSettings) =>
    store.database.runningProcesses.announce({ id: program, program, settings }, nowSeconds(clock));
  return { open, announce };
}

it('names no cookie of this server if another one is the OpenID provider, and none at all while none is known', async () => {
  const { open, announce } = await createFixture();
  expect(await open()).toBeUndefined();
  await announce('registration', { issuer: ISSUER });
  expect(await open()).toBeUndefined();
});

it('names the cookie in which the logout page looks for the session', async () => {
  const { open, announce } = await createFixture();
  await announce('logout', page('team_session'));
  expect(await open()).toEqual({ name: 'team_session', value: expect.stringMatching(/^[\w-]{21,}$/) });
});

it('names the cookie of the server that joined, as it set it up', async () => {
  const { open, announce } = await createFixture();
  await announce('logout', page('vestibule_session'));
  await announce('node-oidc-provider', joined('_session'));
  expect(await open()).toMatchObject({ name: '_session' });
});
