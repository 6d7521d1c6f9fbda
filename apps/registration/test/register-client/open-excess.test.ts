import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { information, MISSING_TOKEN, send } from '../support/calls.js';

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATION_SCOPES: 'openid email' };
const BODY = { redirect_uris: ['https://app.example/cb'] };
const EXCESS = [
  { scope: 'openid admin' },
  { grant_types: ['authorization_code', 'client_credentials'] },
  { data: { a: 1 } },
  { preferred_client_id: 'chosen' },
  { preferred_client_secret: 's'.repeat(43) },
];

it('registers any client for the scope values of OPEN_REGISTRATION_SCOPES', async () => {
  const { app } = await buildTestApp(OPEN);
  const body = { ...BODY, scope: 'openid email' };
  expect(information(await send(app, 'POST /clients', { body }))).toMatchObject({ scope: 'openid email' });
});

it('refuses other scope values without a token, unless the settings say otherwise', async () => {
  const { app, all } = await buildTestApp(OPEN);
  for (const member of EXCESS)
    expect(await send(app, 'POST /clients', { body: { ...BODY, ...member } })).toEqual(MISSING_TOKEN);
  expect(await all()).toEqual([]);
});

it('registers without other scope values if OPEN_REGISTRATION_EXCESS is omit, and shows it', async () => {
  const { app } = await buildTestApp({ ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' });
  const all = Object.assign({}, BODY, ...EXCESS);
  const client = information(await send(app, 'POST /clients', { body: all }));
  expect(client).toMatchObject({ scope: 'openid', grant_types: ['authorization_code'] });
  expect(client).not.toHaveProperty('data');
  expect(client['client_id']).not.toBe('chosen');
  expect(client['client_secret']).not.toBe('s'.repeat(43));
  const none = information(await send(app, 'POST /clients', { body: { ...BODY, scope: 'admin' } }));
  expect(none).not.toHaveProperty('scope');
});

it('refuses a registration without a remaining grant type, even if the rest is left out', async () => {
  const { app, all } = await buildTestApp({ ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' });
  const body = { grant_types: ['client_credentials'], response_types: [] };
  expect(await send(app, 'POST /clients', { body })).toEqual(MISSING_TOKEN);
  expect(await all()).toEqual([]);
});
