import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  badRequest,
  INVALID_TOKEN,
  information,
  insufficientScope,
  JSON_HEADERS,
  MISSING_TOKEN,
  NO_STORE,
  NOT_FOUND,
  pathOf,
  registered,
  type Seen,
  send,
} from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'], client_name: 'One', data: { a: 1 } };
const ISSUED = [
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
];

/** Expects the metadata that would be registered, and returns them. */
function effective({ status, headers, body }: Seen): Record<string, unknown> {
  expect({ status, headers }, body).toEqual({ status: 200, headers: JSON_HEADERS });
  return JSON.parse(body);
}

it('returns what a registration would register, without what it would issue', async () => {
  const { app, initialToken, usesLeft, all } = await buildTestApp({ REGISTRATION_CREATED_STATUS: '201' });
  const token = await initialToken('client-reg');
  const evaluated = effective(await send(app, 'POST /clients?dry_run=true', { token, body: BODY }));
  expect(await all()).toEqual([]);
  expect(await usesLeft(token)).toBe(1);
  const { body } = await send(app, 'POST /clients', { token, body: BODY });
  const { client_id: _, ...response } = JSON.parse(body);
  for (const member of ISSUED) delete response[member];
  expect(evaluated).toEqual(response);
});

it('shows a preset identifier, and refuses one that is taken', async () => {
  const { app } = await buildTestApp();
  const body = { ...BODY, preferred_client_id: 'wanted', preferred_client_secret: 's'.repeat(43) };
  const dryRun = () => send(app, 'POST /clients?dry_run=true', { token: MASTER, body });
  const evaluated = effective(await dryRun());
  expect(evaluated).toMatchObject({ client_id: 'wanted' });
  expect(Object.keys(evaluated)).not.toEqual(expect.arrayContaining(['client_secret']));
  await registered(app, body);
  expect(await dryRun()).toEqual(
    badRequest('invalid_client_metadata', 'preferred_client_id: cannot be used'),
  );
});

it('refuses everything that a registration refuses, with the same descriptions', async () => {
  const { app, initialToken } = await buildTestApp();
  const weak = await initialToken('client-reg:grant:code');
  const consumed = await initialToken('client-reg', { usesLeft: 0 });
  const bodies = [{}, BODY, { redirect_uris: ['none'] }, { ...BODY, software_statement: 'x' }, []];
  for (const token of [undefined, 'unknown', weak, consumed])
    for (const body of bodies) {
      const real = await send(app, 'POST /clients', { token, body });
      expect(real.status).toBeGreaterThanOrEqual(400);
      expect(await send(app, 'POST /clients?dry_run=true', { token, body })).toEqual(real);
    }
});

it('leaves a client and its credentials unchanged, including the previous token', async () => {
  const { app, initialToken, stored } = await buildTestApp();
  const first = await registered(app, {}, await initialToken('client-reg'));
  const path = pathOf(first.client_id);
  const body = { ...BODY, client_id: first.client_id };
  const second = information(
    await send(app, `PUT ${path}`, { token: first.registration_access_token, body }),
  );
  const before = await stored(first.client_id);
  for (const token of [second.registration_access_token, MASTER]) {
    const change = { ...body, client_name: 'Two' };
    const evaluated = effective(await send(app, `PUT ${path}?dry_run=true`, { token, body: change }));
    expect(evaluated).toMatchObject({ client_id: first.client_id, client_name: 'Two', data: { a: 1 } });
    for (const member of ISSUED) expect(evaluated).not.toHaveProperty(member);
  }
  const previous = { token: first.registration_access_token, body };
  effective(await send(app, `PUT ${path}?dry_run=true`, previous));
  expect(await stored(first.client_id)).toEqual(before);
  information(await send(app, `GET ${path}`, { token: first.registration_access_token }));
});

it('refuses everything that an update refuses', async () => {
  const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const open = information(await send(app, 'POST /clients', { body: { redirect_uris: BODY.redirect_uris } }));
  const path = `${pathOf(open.client_id)}?dry_run=true`;
  const token = open.registration_access_token;
  const body = { ...BODY, client_id: open.client_id };
  expect(await send(app, `PUT ${path}`, { token, body })).toEqual(
    insufficientScope('The access token does not permit registering data.'),
  );
  expect(await send(app, `PUT ${path}`, { body })).toEqual(MISSING_TOKEN);
  expect(await send(app, `PUT ${path}`, { token: 'unknown', body })).toEqual(INVALID_TOKEN);
  expect(await send(app, `PUT ${pathOf('x')}?dry_run=true`, { token: MASTER, body })).toEqual(NOT_FOUND);
  const stale = { token: MASTER, body, headers: { 'if-match': '"x"' } };
  expect(await send(app, `PUT ${path}`, stale)).toEqual({ status: 412, headers: NO_STORE, body: '' });
  expect((await send(app, `PUT ${path}`, { token: MASTER, body: { ...body, client_id: 'x' } })).status).toBe(
    400,
  );
});

it('stores nothing under an idempotency key, and shows the registration of an existing one', async () => {
  const { app, initialToken, all } = await buildTestApp();
  const token = await initialToken('client-reg');
  const call = { token, body: BODY, headers: { 'idempotency-key': 'key' } };
  const before = effective(await send(app, 'POST /clients?dry_run=true', call));
  const { client_id: id } = information(await send(app, 'POST /clients', call));
  const after = effective(await send(app, 'POST /clients?dry_run=true', call));
  expect(after).toEqual({ client_id: id, ...before });
  expect(await all()).toHaveLength(1);
});

it('is requested with true or false and nothing else', async () => {
  const { app, all } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const values = [
    'dry_run',
    'dry_run=',
    'dry_run=1',
    'dry_run=TRUE',
    'dry_run=true&dry_run=true',
    'dry_run=true%00',
    'dry_run=%ff',
  ];
  for (const query of values)
    for (const target of [`POST /clients?${query}`, `PUT ${pathOf(id)}?${query}`]) {
      const response = await send(app, target, { token: MASTER, body: { ...BODY, client_id: id } });
      expect(response, target).toMatchObject({ status: 400, headers: JSON_HEADERS });
      expect(JSON.parse(response.body).error).toBe('invalid_request');
    }
  expect(await all()).toHaveLength(1);
  information(await send(app, 'POST /clients?dry_run=false', { token: MASTER, body: BODY }));
  expect(await all()).toHaveLength(2);
});

it('refuses a query parameter that is unknown, or that the operation does not support', async () => {
  const { app, all, stored } = await buildTestApp();
  const refusal = badRequest('invalid_request', 'The query has an unknown parameter (supported: dry_run).');
  for (const query of ['dryrun=true', 'dry-run=true', 'dry_run=true&x=1', 'x='])
    expect(await send(app, `POST /clients?${query}`, { token: MASTER, body: BODY }), query).toEqual(refusal);
  expect(await all()).toEqual([]);
  const { client_id: id, registration_access_token: token } = await registered(app, BODY);
  const body = { ...BODY, client_id: id };
  expect(await send(app, `PUT ${pathOf(id)}?dryrun=true`, { token, body })).toEqual(refusal);
  const withoutAny = badRequest(
    'invalid_request',
    'The query has an unknown parameter (the operation has none).',
  );
  for (const query of ['dry_run=true', 'dry_run=false', 'x=1'])
    expect(await send(app, `DELETE ${pathOf(id)}?${query}`, { token }), query).toEqual(withoutAny);
  expect(
    await send(app, `PUT ${pathOf(id)}/status?x=1`, { token: MASTER, body: { status: 'active' } }),
  ).toEqual(withoutAny);
  expect(await send(app, `DELETE ${pathOf(id)}?dry_run=true`, { token: 'x' })).toEqual(INVALID_TOKEN);
  expect(await stored(id)).toMatchObject({ version: 1 });
});
