import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { INVALID_TOKEN, issued, MISSING_TOKEN, send } from '../support/calls.js';

const URLS = [
  '/direct-authz',
  '/direct-authz/revoke',
  '/direct-authz/sessions',
  '/direct-authz/sessions/x/clients',
  '/direct-authz/tokens',
];

it('accepts only the master token, and responds before the body is read', async () => {
  const { app, register, sql } = await buildTestApp();
  const client = await register();
  const { access_token: identifier } = await issued(app, {
    client_id: client.client_id,
    scope: 'direct-authz',
  });
  const { access_token: initial } = await issued(app, { scope: 'client-reg' });
  const others = [
    identifier,
    initial,
    client.client_secret ?? '',
    String(client['registration_access_token']),
    MASTER.slice(0, -1),
    `${MASTER}x`,
    MASTER.toLowerCase(),
    'x',
    'e30.e30.e30',
  ];
  const malformed = [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer "x"',
    'Bearer \u00e9',
    `Bearer ${MASTER} ${MASTER}`,
  ];
  const schemes = ['', 'Basic', 'Basic eDp5', 'DPoP x', MASTER];
  for (const url of URLS) {
    for (const payload of ['{"sub":"alice"}', '{', '']) {
      expect(await send(app, `POST ${url}`, { payload })).toEqual(MISSING_TOKEN);
      for (const authorization of schemes)
        expect(await send(app, `POST ${url}`, { authorization, payload }), authorization).toEqual(
          MISSING_TOKEN,
        );
      for (const authorization of [...malformed, ...others.map((token) => `Bearer ${token}`)])
        expect(await send(app, `POST ${url}`, { authorization, payload }), authorization).toEqual(
          INVALID_TOKEN,
        );
    }
    const body = { sub: 'alice', access_token: MASTER };
    expect(await send(app, `POST ${url}?access_token=${MASTER}`, { body })).toEqual(MISSING_TOKEN);
  }
  expect(await sql('SELECT count(*)::int AS count FROM revocation_cutoff')).toEqual([{ count: 0 }]);
  expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 1 }]);
});

it('is required for the stream of changes', async () => {
  const { app } = await buildTestApp();
  expect(await send(app, 'GET /direct-authz/changes')).toEqual(MISSING_TOKEN);
  expect(await send(app, 'GET /direct-authz/changes', { token: 'x' })).toEqual(INVALID_TOKEN);
});
