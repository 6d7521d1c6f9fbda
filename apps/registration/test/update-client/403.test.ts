import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { information, insufficientScope, pathOf, registered, send } from '../support/calls.js';

const CALLBACK = 'https://app.example/cb';

it('limits an update to the scopes that the client was granted, regardless of who granted them', async () => {
  const { app, initialToken, stored } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const beyond: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['these grant types', { grant_types: ['client_credentials'], response_types: [] }],
    ['these grant types', { grant_types: ['authorization_code', 'password'] }],
    ['these scope values', { scope: 'openid' }],
    ['data', { data: {} }],
    ['a preferred client identifier', { preferred_client_id: 'another' }],
    ['a preferred client secret', { preferred_client_secret: 's'.repeat(32) }],
  ];
  for (const initial of [undefined, await initialToken('client-reg:scope:open')]) {
    const body = { redirect_uris: [CALLBACK] };
    const client = JSON.parse((await send(app, 'POST /clients', { token: initial, body })).body);
    const before = await stored(client.client_id);
    for (const [what, member] of beyond) {
      const call = { token: client.registration_access_token, body: { ...client, ...member } };
      expect(await send(app, `PUT ${pathOf(client.client_id)}`, call), what).toEqual(
        insufficientScope(`The access token does not permit registering ${what}.`),
      );
    }
    expect(await stored(client.client_id)).toEqual(before);
  }
});

it('limits a client that the master token registered to what it was registered with', async () => {
  const { app, stored } = await buildTestApp();
  const machine = { redirect_uris: [], grant_types: ['client_credentials'], scope: 'read', data: { a: 1 } };
  const beyond: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['these grant types', { grant_types: ['client_credentials', 'password'] }],
    ['these scope values', { scope: `read ${ISSUER}/token/introspect` }],
    ['data', { data: { a: 2 } }],
  ];
  for (const preset of [{}, { preferred_client_id: 'imported' }]) {
    const client = await registered(app, { ...machine, ...preset });
    const before = await stored(client.client_id);
    const token = client.registration_access_token;
    for (const [what, member] of beyond)
      for (const query of ['', '?dry_run=true']) {
        const refusal = insufficientScope(`The access token does not permit registering ${what}.`);
        const path = `${pathOf(client.client_id)}${query}`;
        const body = { ...client, ...member };
        expect(await send(app, `PUT ${path}`, { token, body }), what).toEqual(refusal);
        expect(await send(app, `PATCH ${path}`, { token, body: member }), what).toEqual(refusal);
      }
    expect(await stored(client.client_id)).toEqual(before);
    const own = { ...client, client_name: 'Own', redirect_uris: [CALLBACK], response_types: ['code'] };
    const grants = { grant_types: ['authorization_code', 'client_credentials'] };
    information(await send(app, `PUT ${pathOf(client.client_id)}`, { token, body: { ...own, ...grants } }));
  }
});

it('limits the previous registration access token to reading and to the same update', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const token = client.registration_access_token;
  const sent = { ...client, client_name: 'New' };
  const updated = information(await send(app, `PUT ${path}`, { token, body: sent }));
  const before = await stored(client.client_id);
  const refusal = insufficientScope(
    'The previous registration access token may only read the client and repeat the update that replaced it.',
  );
  const thief = { redirect_uris: ['https://thief.example/cb'] };
  for (const query of ['', '?dry_run=true']) {
    const body = { ...sent, ...thief };
    expect(await send(app, `PUT ${path}${query}`, { token, body })).toEqual(refusal);
    expect(await send(app, `PATCH ${path}${query}`, { token, body: thief })).toEqual(refusal);
  }
  expect(await send(app, `DELETE ${path}`, { token })).toEqual(refusal);
  expect(await send(app, `PUT ${path}/status`, { token, body: { status: 'active' } })).toEqual(refusal);
  expect(await send(app, `GET ${path}/status`, { token })).toMatchObject({ status: 200 });
  expect(information(await send(app, `PUT ${path}`, { token, body: sent }))).toEqual(updated);
  expect(information(await send(app, `GET ${path}`, { token }))).toEqual(updated);
  expect(await stored(client.client_id)).toEqual(before);
  information(await send(app, `GET ${path}`, { token: updated.registration_access_token }));
});

it('keeps a client with pairwise subjects in its sector, and lets no other client enter one', async () => {
  const { app, stored } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const moved = { redirect_uris: ['https://victim.example/cb'], subject_type: 'pairwise' };
  for (const subject_type of ['pairwise', 'public']) {
    const body = { redirect_uris: [CALLBACK], subject_type };
    const client = JSON.parse((await send(app, 'POST /clients', { body })).body);
    const before = await stored(client.client_id);
    const call = { token: client.registration_access_token, body: { ...client, ...moved } };
    for (const target of ['', '?dry_run=true'])
      expect(await send(app, `PUT ${pathOf(client.client_id)}${target}`, call), subject_type).toEqual(
        insufficientScope('The access token does not permit pairwise subjects of another sector.'),
      );
    expect(await stored(client.client_id)).toEqual(before);
  }
});

it('never exceeds the granted scopes by any sequence of updates (property)', async () => {
  const { app, initialToken, stored } = await buildTestApp();
  const client = await registered(app, {}, await initialToken('client-reg:grant:code client-reg:scope:open'));
  let token = client.registration_access_token;
  const member = fc.record(
    {
      grant_types: fc.subarray(['authorization_code', 'refresh_token', 'password', 'client_credentials']),
      scope: fc.constantFrom('open', 'openid', 'open openid', 'OPEN', '', null),
      data: fc.constantFrom({}, { a: 1 }, null),
      token_endpoint_auth_method: fc.constantFrom('none', 'client_secret_basic', 'client_secret_jwt'),
      grantedScopes: fc.constantFrom('client-reg', { data: true }),
      rights: fc.constantFrom('client-reg', { data: true }),
      status: fc.constantFrom('active', 'pending'),
      origin: fc.constant('import'),
    },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(member, async (members) => {
    const body = { client_id: client.client_id, redirect_uris: [CALLBACK], ...members };
    const response = await send(app, `PUT ${pathOf(client.client_id)}`, { token, body });
    expect([200, 400, 403]).toContain(response.status);
    if (response.status === 200) token = JSON.parse(response.body).registration_access_token;
    const now = await stored(client.client_id);
    expect(now).toMatchObject({ origin: 'registration', status: 'active' });
    expect(now?.data).toBeUndefined();
    expect([undefined, 'open']).toContain(now?.metadata.scope);
    expect(['authorization_code']).toEqual(
      expect.arrayContaining([...(now?.metadata.grant_types ?? ['none'])]),
    );
  });
  await fc.assert(property, { numRuns: 200 });
});
