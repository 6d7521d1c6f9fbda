import { isSameJson } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, information, pathOf, registered, send } from '../support/calls.js';

const REDIRECT_URIS = { redirect_uris: ['https://app.example/cb'] };

type Members = Readonly<Record<string, unknown>>;

const appWithPolicy = (policies: Members, settings = {}) =>
  buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    REGISTRATION_POLICY: JSON.stringify(policies),
    ...settings,
  });

const breaks = (member: string, operator: string, error = 'invalid_client_metadata') =>
  badRequest(error, `${member}: violates ${operator} of the registration policy`);

/** Whether a registration has exactly these values in these members; `undefined` means absent. */
const shows = (expected: Members) => (shown: Members) =>
  Object.entries(expected).every(([member, value]) => isSameJson(shown[member], value));

it.each<[string, Members, Members, Members]>([
  [
    'value',
    { client_name: { value: 'Set' } },
    { client_name: 'Asked', 'client_name#de': 'X' },
    { client_name: 'Set' },
  ],
  [
    'value null',
    { client_uri: { value: null } },
    { client_uri: 'https://app.example/' },
    { client_uri: undefined },
  ],
  [
    'add',
    { contacts: { add: ['b@app.example'] } },
    { contacts: ['a@app.example'] },
    { contacts: ['a@app.example', 'b@app.example'] },
  ],
  ['default', { default_max_age: { default: 60 } }, {}, { default_max_age: 60 }],
  [
    'subset_of',
    { grant_types: { subset_of: ['authorization_code'] } },
    { grant_types: ['authorization_code', 'refresh_token'] },
    { grant_types: ['authorization_code'] },
  ],
])(
  '%s changes what is registered, and what a dry run and an update show',
  async (_, any, requested, expected) => {
    const { app, stored } = await appWithPolicy({ any });
    const body = { ...REDIRECT_URIS, ...requested };
    expect(JSON.parse((await send(app, 'POST /clients?dry_run=true', { body })).body)).toSatisfy(
      shows(expected),
    );
    const client = information(await send(app, 'POST /clients', { body }));
    expect(client).toSatisfy(shows(expected));
    expect(client).not.toHaveProperty('client_name#de');
    expect((await stored(client.client_id))?.metadata).toSatisfy(shows(expected));
    const update = {
      token: client.registration_access_token,
      body: { ...body, client_id: client.client_id },
    };
    const target = `PUT ${pathOf(client.client_id)}`;
    expect(JSON.parse((await send(app, `${target}?dry_run=true`, update)).body)).toSatisfy(shows(expected));
    expect(information(await send(app, target, update))).toSatisfy(shows(expected));
  },
);

it.each<[string, Members, Members, Members]>([
  [
    'one_of',
    { application_type: { one_of: ['native'] } },
    {},
    { application_type: 'native', redirect_uris: ['app.example:/cb'] },
  ],
  [
    'superset_of',
    { contacts: { superset_of: ['ops@app.example'] } },
    { contacts: ['a@app.example'] },
    { contacts: ['ops@app.example'] },
  ],
  ['essential', { client_name: { essential: true } }, { 'client_name#de': 'Laden' }, { client_name: 'Shop' }],
])(
  '%s refuses registration, dry run and update with member and rule',
  async (operator, any, refused, permitted) => {
    const { app, all } = await appWithPolicy({ any });
    const refusal = breaks(Object.keys(any)[0] ?? '', operator);
    const body = { ...REDIRECT_URIS, ...refused };
    for (const target of ['POST /clients', 'POST /clients?dry_run=true'])
      expect(await send(app, target, { body })).toEqual(refusal);
    expect(await all()).toEqual([]);
    const client = information(
      await send(app, 'POST /clients', { body: { ...REDIRECT_URIS, ...permitted } }),
    );
    const update = {
      token: client.registration_access_token,
      body: { ...body, client_id: client.client_id },
    };
    for (const query of ['', '?dry_run=true'])
      expect(await send(app, `PUT ${pathOf(client.client_id)}${query}`, update)).toEqual(refusal);
  },
);

it('refuses redirect URIs with their own error code, and consumes no token', async () => {
  const { app, initialToken, usesLeft } = await appWithPolicy({
    initial_access_token: { redirect_uris: { superset_of: ['https://portal.example/cb'] } },
  });
  const token = await initialToken('client-reg');
  expect(await send(app, 'POST /clients', { token, body: REDIRECT_URIS })).toEqual(
    breaks('redirect_uris', 'superset_of', 'invalid_redirect_uri'),
  );
  expect(await usesLeft(token)).toBe(1);
  information(await send(app, 'POST /clients', { body: REDIRECT_URIS }));
});

it('depends on the registrant, and lets the master token update beyond what the client may', async () => {
  const { app } = await appWithPolicy({
    anonymous: { client_name: { one_of: ['Guest'] } },
    master_token: { contacts: { essential: true } },
  });
  const client = information(
    await send(app, 'POST /clients', { body: { ...REDIRECT_URIS, client_name: 'Guest' } }),
  );
  const body = { ...REDIRECT_URIS, client_id: client.client_id, client_name: 'Bank' };
  const target = `PUT ${pathOf(client.client_id)}`;
  const own = { token: client.registration_access_token };
  expect(await send(app, target, { ...own, body })).toEqual(breaks('client_name', 'one_of'));
  expect(await send(app, target, { token: MASTER, body })).toEqual(breaks('contacts', 'essential'));
  const ours = { ...body, contacts: ['ops@app.example'] };
  expect(information(await send(app, target, { token: MASTER, body: ours }))).toMatchObject({
    client_name: 'Bank',
  });
});

it('does not call the policy again for an idempotency record', async () => {
  const { app, initialToken, anotherInstance } = await appWithPolicy({});
  const token = await initialToken('client-reg');
  const call = { token, body: REDIRECT_URIS, headers: { 'idempotency-key': 'key' } };
  const first = await send(app, 'POST /clients', call);
  const stricter = await anotherInstance({
    REGISTRATION_POLICY: '{"any":{"client_name":{"essential":true}}}',
  });
  expect(await registered(stricter.app, { client_name: 'Shop' })).toMatchObject({ client_name: 'Shop' });
  const again = await send(stricter.app, 'POST /clients', call);
  expect(again.body).toBe(first.body);
});
