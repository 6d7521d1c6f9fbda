import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { information, MISSING_TOKEN, pathOf, send } from '../support/calls.js';

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

it('registers no resource of a client that is left without the right to introspect, so that its owner still can', async () => {
  const { app } = await buildTestApp({ ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' });
  const api = {
    grant_types: ['authorization_code', 'client_credentials'],
    scope: `openid ${ISSUER}/token/introspect`,
    resource_identifiers: ['https://orders.example'],
    resource_scopes: 'orders:read',
  };
  const client = information(await send(app, 'POST /clients', { body: { ...BODY, ...api } }));
  expect(client).toMatchObject({ scope: 'openid', grant_types: ['authorization_code'] });
  expect(client).not.toHaveProperty('resource_identifiers');
  expect(client).not.toHaveProperty('resource_scopes');
  const owner = await send(app, 'POST /clients', { token: MASTER, body: { ...BODY, ...api } });
  expect(information(owner)).toMatchObject({ resource_identifiers: ['https://orders.example'] });
});

it('refuses a registration without a remaining grant type, even if the rest is left out', async () => {
  const { app, all } = await buildTestApp({ ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' });
  const body = { grant_types: ['client_credentials'], response_types: [] };
  expect(await send(app, 'POST /clients', { body })).toEqual(MISSING_TOKEN);
  expect(await all()).toEqual([]);
});

it('registers without grant types that the server does not know if OPEN_REGISTRATION_EXCESS is omit', async () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const body = { ...BODY, grant_types: ['authorization_code', 'refresh_token', device, 'unknown'] };
  const { app, anotherInstance } = await buildTestApp({ ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' });
  const client = information(await send(app, 'POST /clients', { body }));
  expect(client['grant_types']).toEqual(['authorization_code', 'refresh_token']);
  const update = { token: client.registration_access_token, body: { ...body, client_id: client.client_id } };
  const updated = information(await send(app, `PUT ${pathOf(client.client_id)}`, update));
  expect(updated['grant_types']).toEqual(['authorization_code', 'refresh_token']);
  const alone = { body: { ...BODY, grant_types: [device] } };
  expect((await send(app, 'POST /clients', alone)).status).toBe(400);
  const { app: strict } = await anotherInstance({ OPEN_REGISTRATION_EXCESS: 'refuse' });
  expect((await send(strict, 'POST /clients', { body })).status).toBe(400);
});
