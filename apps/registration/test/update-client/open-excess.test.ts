import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import {
  type Information,
  information,
  insufficientScope,
  pathOf,
  registered,
  send,
} from '../support/calls.js';

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATION_SCOPES: 'openid email' };
const OMIT = { ...OPEN, OPEN_REGISTRATION_EXCESS: 'omit' };
const BODY = { redirect_uris: ['https://app.example/cb'] };
const WIDE = { scope: 'openid admin', grant_types: ['authorization_code', 'client_credentials'] };
const NARROW = { scope: 'openid', grant_types: ['authorization_code'] };

type App = Awaited<ReturnType<typeof buildTestApp>>['app'];

async function openlyRegistered(app: App): Promise<Information> {
  return information(await send(app, 'POST /clients', { body: { ...BODY, scope: 'openid' } }));
}

/** The calls of a client that changes its registration, in each form. */
function updatesOf({ client_id: id, registration_access_token: token }: Information) {
  const path = pathOf(id);
  return (changes: object) => [
    { target: `PUT ${path}?dry_run=true`, call: { token, body: { ...BODY, client_id: id, ...changes } } },
    { target: `PATCH ${path}?dry_run=true`, call: { token, body: changes } },
    { target: `PATCH ${path}`, call: { token, body: changes } },
  ];
}

it('updates without what exceeds the granted scopes if OPEN_REGISTRATION_EXCESS is omit, and shows it', async () => {
  const { app } = await buildTestApp(OMIT);
  const excess = {
    ...WIDE,
    data: { a: 1 },
    preferred_client_id: 'x',
    preferred_client_secret: 's'.repeat(43),
  };
  const client = await openlyRegistered(app);
  for (const { target, call } of updatesOf(client)(excess)) {
    const response = await send(app, target, call);
    expect(response, `${target} ${response.body}`).toMatchObject({ status: 200 });
    const updated = JSON.parse(response.body);
    expect(updated, target).toMatchObject({ ...NARROW, client_id: client.client_id });
    expect(updated, target).not.toHaveProperty('data');
  }
  const { client_id: id, registration_access_token: token } = await openlyRegistered(app);
  const body = { ...BODY, client_id: id, ...WIDE };
  expect(information(await send(app, `PUT ${pathOf(id)}`, { token, body }))).toMatchObject(NARROW);
  // The response may be lost: the previous token repeats the same update.
  expect(information(await send(app, `PUT ${pathOf(id)}`, { token, body }))).toMatchObject(NARROW);
});

it('keeps the data of the operator, and the scopes that the operator added', async () => {
  const { app } = await buildTestApp(OMIT);
  const { client_id: id } = await openlyRegistered(app);
  const data = { tier: 'gold' };
  const granted = { ...BODY, client_id: id, scope: 'openid admin', data };
  const { registration_access_token: token } = information(
    await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body: granted }),
  );
  for (const changes of [{ data: { tier: 'free' } }, { data: null }, { scope: 'openid admin root' }])
    for (const { target, call } of updatesOf({
      client_id: id,
      registration_access_token: token,
    } as Information)({ scope: 'openid admin', ...changes }).slice(0, 2))
      expect(
        JSON.parse((await send(app, target, call)).body),
        `${target} ${JSON.stringify(changes)}`,
      ).toMatchObject({
        scope: 'openid admin',
        data,
      });
});

it('adds no resource to a client that is left without the right to introspect', async () => {
  const { app } = await buildTestApp(OMIT);
  const resources = { resource_identifiers: ['https://orders.example'], resource_scopes: 'orders:read' };
  const wide = { ...WIDE, scope: `openid ${ISSUER}/token/introspect`, ...resources };
  for (const { target, call } of updatesOf(await openlyRegistered(app))(wide)) {
    const updated = JSON.parse((await send(app, target, call)).body);
    expect(updated, target).toMatchObject(NARROW);
    for (const member of Object.keys(resources)) expect(updated, target).not.toHaveProperty(member);
  }
});

it('refuses an update without a remaining grant type, and any excess with the other setting', async () => {
  const refusal = insufficientScope('The access token does not permit registering these grant types.');
  const { app } = await buildTestApp(OMIT);
  const alone = { grant_types: ['client_credentials'], response_types: [] };
  for (const { target, call } of updatesOf(await openlyRegistered(app))(alone))
    expect(await send(app, target, call), target).toEqual(refusal);
  const strict = await buildTestApp(OPEN);
  for (const { target, call } of updatesOf(await openlyRegistered(strict.app))(WIDE))
    expect(await send(strict.app, target, call), target).toEqual(refusal);
});

it('refuses the excess of a client that was registered with a token', async () => {
  const { app } = await buildTestApp(OMIT);
  const client = await registered(app, { ...BODY, scope: 'openid' });
  for (const { target, call } of updatesOf(client)(WIDE))
    expect(await send(app, target, call), target).toMatchObject({ status: 403 });
});
