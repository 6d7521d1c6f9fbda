import { readLiveToken } from '@vestibule/tokens';
import { expect, it } from 'vitest';
import { buildTestApp, NOW } from '../support/build-test-app.js';
import { badRequest, issued, JSON_HEADERS, post } from '../support/calls.js';

it('requires exactly one member, and otherwise revokes nothing', async () => {
  const { app, register, deps, store } = await buildTestApp();
  const { client_id: id } = await register();
  const { access_token: token } = await issued(app, { client_id: id, sub: 'alice', sid: 's', scope: 'read' });
  const all = { token, client_id: id, sub: 'alice', sid: 's' };
  const { sid: _, ...three } = all;
  for (const body of [{}, all, three, { token, client_id: id }, { sub: 'alice', sid: 's' }])
    expect(await post(app, '/direct-authz/revoke', body)).toEqual(
      badRequest('exactly one of token, client_id, sub and sid is required'),
    );
  const bad = [
    { token: null },
    { token: '' },
    { token: [token] },
    { token: 'x'.repeat(8_193) },
    { client_id: { not: '' } },
    { client_id: '' },
    { client_id: 'x'.repeat(2_049) },
    { sub: 1 },
    { sub: 'x'.repeat(256) },
    { sid: true },
    { sid: 'x'.repeat(256) },
    { jti: 'x' },
    { token, token_type_hint: 'access_token' },
  ];
  for (const body of bad) {
    const { status, headers, body: text } = await post(app, '/direct-authz/revoke', body);
    expect({ status, headers }, text).toEqual({ status: 400, headers: JSON_HEADERS });
    expect(JSON.parse(text).error).toBe('invalid_request');
  }
  expect(await readLiveToken({ ...deps, ...store.database }, token)).toBeDefined();
});

it('takes an expiry with a token alone, at most a year ahead', async () => {
  const { app } = await buildTestApp();
  const token = 'u'.repeat(43);
  const refused: [object, string][] = [
    [{ exp: NOW + 60 }, 'exactly one of token, client_id, sub and sid is required'],
    [{ sub: 'alice', exp: NOW + 60 }, 'exp: is for a token only'],
    [{ token, exp: NOW + 31_536_001 }, 'exp: must be at most 31536000 seconds from now'],
  ];
  for (const [body, problem] of refused)
    expect(await post(app, '/direct-authz/revoke', body)).toEqual(badRequest(problem));
  for (const exp of [-1, 1.5, '60', null])
    expect((await post(app, '/direct-authz/revoke', { token, exp })).status, String(exp)).toBe(400);
  for (const exp of [0, NOW, NOW + 31_536_000])
    expect((await post(app, '/direct-authz/revoke', { token, exp })).status, String(exp)).toBe(204);
});

it('refuses a malformed client identifier', async () => {
  const { app } = await buildTestApp();
  for (const id of [' a', 'a ', 'a\u00e9', ' '])
    expect(await post(app, '/direct-authz/revoke', { client_id: id })).toEqual(
      badRequest('client_id: is not a client identifier'),
    );
});
