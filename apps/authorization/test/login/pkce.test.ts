import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import { authorizationParameters, aVerifier, postForm } from '../support/code-flow.js';

const CODE = {
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'code id_token', 'id_token'],
};
const PUBLIC = { ...CODE, token_endpoint_auth_method: 'none' };

/** The responses to a request with or without a challenge, at both endpoints that accept one. */
async function responses(
  PKCE_REQUIRED: 'public' | 'all' | undefined,
  metadata: object,
  isChallenged = false,
) {
  const settings = PKCE_REQUIRED === undefined ? {} : { PKCE_REQUIRED };
  const { app, register } = await buildTestApp(settings, false, true);
  const client = await register({ ...metadata });
  const said: Record<string, unknown> = {};
  for (const responseType of CODE.response_types) {
    const form = authorizationParameters(client, aVerifier().challenge, {
      response_type: responseType,
      nonce: 'n',
    });
    if (!isChallenged) for (const name of ['code_challenge', 'code_challenge_method']) delete form[name];
    const { location = '' } = await openBrowser(app).go(`/authorize?${new URLSearchParams(form)}`);
    const pushed = await postForm(app, '/par', client, form);
    said[responseType] = [location.startsWith('/interaction/'), pushed.status === 201];
    expect(location.includes('requires+PKCE') || location.includes('requires%20PKCE')).toBe(
      !location.startsWith('/interaction/'),
    );
  }
  return said;
}

const both = (isTaken: boolean) => [isTaken, isTaken];

it.each([undefined, 'public'] as const)(
  'requires PKCE of public clients with PKCE_REQUIRED=%s',
  async (setting) => {
    const optional = { code: both(true), 'code id_token': both(true), id_token: both(true) };
    expect(await responses(setting, CODE)).toEqual(optional);
    expect(await responses(setting, PUBLIC)).toEqual({
      code: both(false),
      'code id_token': both(false),
      id_token: both(true),
    });
  },
);

it('requires PKCE of all clients with PKCE_REQUIRED=all, wherever a code is issued', async () => {
  const required = { code: both(false), 'code id_token': both(false), id_token: both(true) };
  const taken = { code: both(true), 'code id_token': both(true), id_token: both(true) };
  for (const metadata of [CODE, PUBLIC]) {
    expect(await responses('all', metadata)).toEqual(required);
    expect(await responses('all', metadata, true)).toEqual(taken);
  }
});
