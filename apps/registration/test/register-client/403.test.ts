import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { insufficientScope, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const NO_REGISTRATION = insufficientScope('The access token does not permit registration.', 'client-reg');

it.each(['true', 'false'])(
  'refuses ordinary access tokens, which permit nothing here (open mode: %s)',
  async (open) => {
    const { app, accessToken, initialToken, usesLeft, all } = await buildTestApp({
      ALLOW_OPEN_REGISTRATION: open,
    });
    const { client_id: id } = await registered(app);
    for (const format of ['identifier', 'jwt'] as const) {
      const token = await accessToken(format, id);
      expect(await send(app, 'POST /clients', { token, body: BODY }), format).toEqual(NO_REGISTRATION);
      for (const [payload] of HOSTILE_BODIES.slice(0, 3))
        expect(await send(app, 'POST /clients', { token, payload }), format).toEqual(NO_REGISTRATION);
    }
    const useless = await initialToken(
      'read client-reg:grant:codex CLIENT-REG client-regs client-reg:scope:',
    );
    expect(await send(app, 'POST /clients', { token: useless, body: BODY })).toEqual(NO_REGISTRATION);
    expect(await usesLeft(useless)).toBe(1);
    expect(await all()).toHaveLength(1);
  },
);

it('names what an initial access token does not permit, and consumes nothing', async () => {
  const { app, initialToken, usesLeft, all } = await buildTestApp();
  const token = await initialToken('client-reg:grant:code client-reg:scope:open');
  const lacking: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    [
      'these grant types',
      { grant_types: ['authorization_code', 'refresh_token'] },
      'client-reg:grant:refresh',
    ],
    ['these scope values', { scope: 'openid' }, 'client-reg:scope:openid'],
    ['these scope values', { scope: 'open openid' }, 'client-reg:scope:openid'],
    ['these scope values', { scope: 'x'.repeat(2_000) }, 'client-reg'],
    ['data', { data: {} }, 'client-reg:data'],
    ['a preferred client identifier', { preferred_client_id: 'chosen' }, 'client-reg:set-id'],
    ['a preferred client secret', { preferred_client_secret: 's'.repeat(32) }, 'client-reg:set-secret'],
  ];
  for (const [what, member, scope] of lacking) {
    const response = await send(app, 'POST /clients', { token, body: { ...BODY, ...member } });
    expect(response).toEqual(
      insufficientScope(`The access token does not permit registering ${what}.`, scope),
    );
  }
  expect(await usesLeft(token)).toBe(1);
  expect(await all()).toEqual([]);
  await registered(app, { scope: 'open' }, token);
});

it('checks the metadata in the token itself against its scopes', async () => {
  const { app, initialToken } = await buildTestApp();
  const token = await initialToken('client-reg:grant:code', { metadataTemplate: { data: {} } });
  expect(await send(app, 'POST /clients', { token, body: BODY })).toEqual(
    insufficientScope('The access token does not permit registering data.'),
  );
});
