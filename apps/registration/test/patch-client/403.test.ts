import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, insufficientScope, pathOf, registered, send } from '../support/calls.js';

const CALLBACK = 'https://app.example/cb';

it('limits a patch to the scopes that the client was granted', async () => {
  const { app, initialToken, stored } = await buildTestApp();
  const client = await registered(app, {}, await initialToken('client-reg:grant:code client-reg:scope:open'));
  const before = await stored(client.client_id);
  const beyond: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['these grant types', { grant_types: ['client_credentials'], response_types: [] }],
    ['these scope values', { scope: 'openid' }],
    ['data', { data: {} }],
    ['a preferred client identifier', { preferred_client_id: 'another' }],
    ['a preferred client secret', { preferred_client_secret: 's'.repeat(32) }],
  ];
  for (const [what, body] of beyond)
    for (const query of ['', '?dry_run=true']) {
      const call = { token: client.registration_access_token, body };
      expect(await send(app, `PATCH ${pathOf(client.client_id)}${query}`, call), what).toEqual(
        insufficientScope(`The access token does not permit registering ${what}.`),
      );
    }
  expect(await stored(client.client_id)).toEqual(before);
});

it('lets a client keep what the master token gave it beyond its scopes, and change no data', async () => {
  const { app, initialToken } = await buildTestApp();
  const client = await registered(app, {}, await initialToken('client-reg:grant:code'));
  const path = pathOf(client.client_id);
  const patch = async (token: string, body: unknown) =>
    information(await send(app, `PATCH ${path}`, { token, body }));
  const given = await patch(MASTER, { data: { tier: 'gold' } });
  const token = given.registration_access_token;
  for (const data of [{ since: 2026 }, { tier: null }, null])
    for (const query of ['', '?dry_run=true'])
      expect(await send(app, `PATCH ${path}${query}`, { token, body: { data } })).toEqual(
        insufficientScope('The access token does not permit registering data.'),
      );
  const kept = await patch(token, { client_name: 'New', data: { tier: 'gold' } });
  expect(kept['data']).toEqual({ tier: 'gold' });
});

it('keeps a client with pairwise subjects in its sector', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app, { redirect_uris: [CALLBACK], subject_type: 'pairwise' });
  const before = await stored(client.client_id);
  const call = {
    token: client.registration_access_token,
    body: { redirect_uris: ['https://victim.example/cb'] },
  };
  expect(await send(app, `PATCH ${pathOf(client.client_id)}`, call)).toEqual(
    insufficientScope('The access token does not permit pairwise subjects of another sector.'),
  );
  expect(await stored(client.client_id)).toEqual(before);
});
