import { findActiveClient } from '@vestibule/clients';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, insufficientScope, NO_CONTENT, pathOf, send, tagOf } from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const REFUSED = insufficientScope(
  'The access token does not permit changing the client while it is suspended.',
);

async function suspendedClient(settings = {}) {
  const service = await buildTestApp(settings);
  const { app } = service;
  const registered = information(await send(app, 'POST /clients', { token: MASTER, body: BODY }));
  const { client_id: id, registration_access_token: token } = registered;
  const setStatus = (status: string, headers = {}) =>
    send(app, `PUT ${pathOf(id)}/status`, { token: MASTER, body: { status }, headers });
  expect(await setStatus('suspended')).toMatchObject({ status: 200, body: '{"status":"suspended"}' });
  return { ...service, id, token, setStatus };
}

it('disables a client for every flow, and enables it again unchanged', async () => {
  const { deps, stored, id, setStatus } = await suspendedClient();
  expect(await stored(id)).toMatchObject({ status: 'suspended', version: 2 });
  expect(await findActiveClient(deps, id)).toBeUndefined();
  expect(await setStatus('suspended')).toMatchObject({ status: 200 });
  expect(await stored(id)).toMatchObject({ version: 2 });
  expect(await setStatus('active')).toMatchObject({ status: 200, body: '{"status":"active"}' });
  expect(await findActiveClient(deps, id)).toMatchObject({ id, version: 3 });
});

it('changes only the version that was read, if the operator requests that', async () => {
  const { app, stored, id, setStatus } = await suspendedClient();
  const present = tagOf(await send(app, `GET ${pathOf(id)}/status`, { token: MASTER }));
  expect(await setStatus('active', { 'if-match': '"x"' })).toMatchObject({ status: 412 });
  expect(await stored(id)).toMatchObject({ status: 'suspended' });
  expect(await setStatus('active', { 'if-match': present })).toMatchObject({ status: 200 });
  expect(await setStatus('suspended', { 'if-match': present })).toMatchObject({ status: 412 });
});

it('lets a suspended client read its registration and status, and change nothing', async () => {
  const { app, stored, id, token } = await suspendedClient();
  const url = pathOf(id);
  expect(await send(app, `GET ${url}`, { token })).toMatchObject({ status: 200 });
  expect(await send(app, `GET ${url}/status`, { token })).toMatchObject({ body: '{"status":"suspended"}' });
  const body = { ...BODY, client_id: id };
  expect(await send(app, `PUT ${url}`, { token, body })).toEqual(REFUSED);
  const contentType = { 'content-type': 'application/merge-patch+json' };
  expect(await send(app, `PATCH ${url}`, { token, body: {}, headers: contentType })).toEqual(REFUSED);
  expect(await send(app, `DELETE ${url}`, { token })).toEqual(REFUSED);
  expect(await send(app, `POST ${url}/secret`, { token })).toEqual(REFUSED);
  expect(await send(app, `POST ${url}/registration-token`, { token })).toEqual(REFUSED);
  expect(await stored(id)).toMatchObject({ status: 'suspended', version: 2 });
});

it('lets only the operator change a suspended client, whose changes do not resume it', async () => {
  const { app, stored, id } = await suspendedClient({ OPEN_REGISTRATION_APPROVAL: 'true' });
  const url = pathOf(id);
  const body = { ...BODY, client_id: id, client_name: 'Other' };
  expect(await send(app, `PUT ${url}`, { token: MASTER, body })).toMatchObject({ status: 200 });
  expect(await stored(id)).toMatchObject({ status: 'suspended', metadata: { client_name: 'Other' } });
  expect(await send(app, `DELETE ${url}`, { token: MASTER })).toEqual(NO_CONTENT);
});

it('shows status, origin, expiry and last use only to the operator, in reads and lists', async () => {
  const settings = { ALLOW_OPEN_REGISTRATION: 'true', UNUSED_CLIENT_LIFETIME_SECONDS: '500' };
  const { app, clock, deps } = await buildTestApp(settings);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const { client_id: id, registration_access_token: token } = registered;
  const read = (by: string) => send(app, `GET ${pathOf(id)}`, { token: by });
  const end = nowSeconds(clock) + 500;
  expect(information(await read(token))).toEqual(registered);
  const unused = { ...registered, status: 'active', origin: 'open_registration', expires_at: end };
  expect(information(await read(MASTER))).toEqual(unused);
  const before = tagOf(await read(MASTER));
  expect(before).toBe(tagOf(await read(token)));
  await deps.clients.markUsed([registered.client_id as never], nowSeconds(clock), 60);
  const { expires_at: _, ...lasting } = unused as Record<string, unknown>;
  const used = { ...lasting, last_used_at: nowSeconds(clock) };
  expect(information(await read(MASTER))).toEqual(used);
  expect(JSON.parse((await send(app, 'GET /clients', { token: MASTER })).body)).toEqual([used]);
  expect(information(await read(token))).not.toHaveProperty('origin');
  // The tag identifies the registration for both readers; its last use does not change it.
  const present = tagOf(await read(MASTER));
  expect(present).toBe(tagOf(await read(token)));
  const body = used;
  const update = { token: MASTER, body, headers: { 'if-match': present } };
  expect(await send(app, `PUT ${pathOf(id)}`, update)).toMatchObject({ status: 200 });
});

it('lists the suspended clients', async () => {
  const { app, id } = await suspendedClient();
  await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const { body } = await send(app, 'GET /clients?status=suspended', { token: MASTER });
  expect(JSON.parse(body)).toMatchObject([{ client_id: id, status: 'suspended' }]);
});
