import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { INVALID_TOKEN, MISSING_TOKEN, registered, send } from '../support/calls.js';
import { OTHER_SCHEMES } from '../support/malformed-authorizations.js';

it('shows nothing without the master token, in open mode either (registration/API.md#list)', async () => {
  const { app, initialToken, clock } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const client = await registered(app);
  expect(await send(app, 'GET /clients')).toEqual(MISSING_TOKEN);
  expect(await send(app, `GET /clients?access_token=${MASTER}`)).toEqual(MISSING_TOKEN);
  for (const authorization of OTHER_SCHEMES)
    expect(await send(app, 'GET /clients', { authorization }), authorization).toEqual(MISSING_TOKEN);
  const used = await initialToken('client-reg', { usesLeft: 0 });
  const expired = await initialToken('client-reg');
  clock.advanceSeconds(600);
  const unknown = [
    client.registration_access_token,
    client.client_secret,
    used,
    expired,
    'x',
    'x'.repeat(43),
  ];
  for (const token of unknown)
    expect(await send(app, 'GET /clients', { token }), token).toEqual(INVALID_TOKEN);
});

it('checks the token before the query', async () => {
  const { app } = await buildTestApp();
  for (const query of ['limit=abc', 'limit=0', 'cursor=', 'status=x', 'unknown=1']) {
    expect(await send(app, `GET /clients?${query}`, { token: 'x'.repeat(43) }), query).toEqual(INVALID_TOKEN);
    expect(await send(app, `GET /clients?${query}`), query).toEqual(MISSING_TOKEN);
  }
});
