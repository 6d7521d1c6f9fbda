import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, JSON_HEADERS, NO_CONTENT, NO_STORE, pathOf, send, tagOf } from '../support/calls.js';

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATION_APPROVAL: 'true' };
const LIMITED = { ALLOW_OPEN_REGISTRATION: 'true', UNUSED_CLIENT_LIFETIME_SECONDS: '3600' };
const BODY = { redirect_uris: ['https://app.example/cb'] };

function status(value: string, etag: string) {
  return { status: 200, headers: { ...JSON_HEADERS, etag }, body: JSON.stringify({ status: value }) };
}

it('shows the registrant that a client is pending until the operator approves it', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const url = `${pathOf(registered.client_id)}/status`;
  const { registration_access_token: token } = registered;
  const tag = async () => tagOf(await send(app, `GET ${pathOf(registered.client_id)}`, { token }));
  expect(await send(app, `GET ${url}`, { token })).toEqual(status('pending', await tag()));
  const approval = { token: MASTER, body: { status: 'active' } };
  const approved = await send(app, `PUT ${url}`, approval);
  expect(approved).toEqual(status('active', await tag()));
  expect(await send(app, `PUT ${url}`, approval)).toEqual(approved);
  expect(await send(app, `GET ${url}`, { token })).toEqual(approved);
  expect(await stored(registered.client_id)).toMatchObject({ status: 'active', version: 2 });
});

it('shows in every response about a client when an open registration expires, until its first use', async () => {
  const { app, clock, store, stored } = await buildTestApp(LIMITED);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const { client_id: id, registration_access_token: token } = registered;
  const end = Number(registered['client_id_issued_at']) + 3_600;
  expect(registered['expires_at']).toBe(end);
  const url = `${pathOf(id)}/status`;
  const status = async () => JSON.parse((await send(app, `GET ${url}`, { token: MASTER })).body);
  expect(await status()).toEqual({ status: 'active', expires_at: end });
  expect(information(await send(app, `GET ${pathOf(id)}`, { token }))['expires_at']).toBe(end);
  // The read response can be written back, although the expiry cannot be set.
  clock.advanceSeconds(60);
  for (const expires_at of [end, end + 1]) {
    const body = { ...BODY, client_id: id, expires_at };
    expect(information(await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body }))['expires_at']).toBe(
      end,
    );
  }
  const effective = await send(app, 'POST /clients?dry_run=true', { body: { ...BODY, expires_at: end } });
  expect(JSON.parse(effective.body)).not.toHaveProperty('expires_at');
  for (const client of JSON.parse((await send(app, 'GET /clients', { token: MASTER })).body))
    expect(client['expires_at']).toBe(end);
  const client = await stored(id);
  await store.database.clients.markUsed(client ? [client.id] : [], nowSeconds(clock), 300);
  expect(await status()).toEqual({ status: 'active' });
  expect(information(await send(app, `GET ${pathOf(id)}`, { token: MASTER }))).not.toHaveProperty(
    'expires_at',
  );
});

it('shows no expiry by default, nor for clients that were registered with a token', async () => {
  const open = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const limited = await buildTestApp(LIMITED);
  for (const [{ app, stored }, token] of [
    [open, undefined],
    [limited, MASTER],
  ] as const) {
    const registered = information(await send(app, 'POST /clients', { token, body: BODY }));
    expect(registered).not.toHaveProperty('expires_at');
    expect(await stored(registered.client_id)).not.toHaveProperty('expiresAt');
    const status = await send(app, `GET ${pathOf(registered.client_id)}/status`, { token: MASTER });
    expect(JSON.parse(status.body)).toEqual({ status: 'active' });
  }
});

it('approves only the version that was read, if the request says so', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const { client_id: id, registration_access_token: token } = registered;
  const url = `${pathOf(id)}/status`;
  const looked = tagOf(await send(app, `GET ${url}`, { token: MASTER }));
  expect(looked).toBe(tagOf(await send(app, `GET ${pathOf(id)}`, { token: MASTER })));
  const body = { ...BODY, client_id: id, client_name: 'Bank' };
  const present = tagOf(await send(app, `PUT ${pathOf(id)}`, { token, body }));
  const approve = (condition: string) =>
    send(app, `PUT ${url}`, {
      token: MASTER,
      body: { status: 'active' },
      headers: { 'if-match': condition },
    });
  for (const stale of [looked, '"x"', `W/${present}`])
    expect(await approve(stale), stale).toEqual({ status: 412, headers: NO_STORE, body: '' });
  expect(await stored(id)).toMatchObject({ status: 'pending', version: 2 });
  expect(await approve(present)).toMatchObject({ status: 200 });
  expect(await approve('*')).toMatchObject({ status: 200 });
  expect(await stored(id)).toMatchObject({ status: 'active', version: 3 });
});

it('makes an approved client pending again if its registrant changes it, but not if nothing changes', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const { client_id: id } = registered;
  const put = async (token: string, body: object) =>
    information(await send(app, `PUT ${pathOf(id)}`, { token, body: { ...body, client_id: id } }));
  await send(app, `PUT ${pathOf(id)}/status`, { token: MASTER, body: { status: 'active' } });
  const { registration_access_token: same } = await put(registered.registration_access_token, BODY);
  expect(await stored(id)).toMatchObject({ status: 'active', version: 3 });
  await put(same, { redirect_uris: ['https://elsewhere.example/cb'] });
  expect(await stored(id)).toMatchObject({ status: 'pending', version: 4 });
});

it('lets the registrant manage a pending client', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const { client_id: id, registration_access_token: token } = registered;
  expect(information(await send(app, `GET ${pathOf(id)}`, { token })).client_id).toBe(id);
  const body = { ...BODY, client_id: id, client_name: 'Other' };
  const updated = information(await send(app, `PUT ${pathOf(id)}`, { token, body }));
  expect(await stored(id)).toMatchObject({ status: 'pending' });
  const next = { token: updated.registration_access_token };
  expect(await send(app, `DELETE ${pathOf(id)}`, next)).toEqual(NO_CONTENT);
});

it('is not pending if no approval is required, or a token was used', async () => {
  const open = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const first = information(await send(open.app, 'POST /clients', { body: BODY }));
  expect(await open.stored(first.client_id)).toMatchObject({ status: 'active' });
  const { app, stored } = await buildTestApp(OPEN);
  const second = information(await send(app, 'POST /clients', { token: MASTER, body: BODY }));
  expect(await stored(second.client_id)).toMatchObject({ status: 'active' });
});
