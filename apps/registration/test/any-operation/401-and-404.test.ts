import type { EpochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { INVALID_TOKEN, MISSING_TOKEN, NOT_FOUND, pathOf, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';
import { MALFORMED_BEARERS, OTHER_SCHEMES } from '../support/malformed-authorizations.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** Paths below the endpoint that identify no client. */
const UNKNOWN_PATHS = [
  '',
  'unknown',
  'x'.repeat(101),
  'x'.repeat(2_049),
  'x'.repeat(5_000),
  '%zz',
  '%',
  '%e0%a4%a',
  '%ff',
  '%C0%AF',
  '%00',
  'a%00b',
  '%0d%0a',
  '%2f',
  '%2e%2e%2fclients',
  '..%2f..',
  '%20',
  '%C3%A9',
  '%F0%9F%98%80',
  '%EF%BF%BD',
  'a;b',
  "'%20OR%201=1",
  '*',
  '__proto__',
  'constructor',
];

/** The operations on one client, with the body that updates require. */
async function manage(app: Parameters<typeof send>[0], path: string, token: string | undefined) {
  const responses = [];
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const body = method.startsWith('P') ? { client_id: 'unknown', ...BODY } : undefined;
    responses.push(await send(app, `${method} ${path}`, { token, body }));
  }
  return responses;
}

it('responds with 401 to a registration token and with 404 to the master token for every unknown client', async () => {
  const { app, clock, storeClient } = await buildTestApp();
  const client = await registered(app);
  const foreign = await registered(app);
  await storeClient('expired', { expiresAt: Math.floor(clock.nowMs() / 1000) as EpochSeconds });
  const own = client.registration_access_token;
  const unknown = [...UNKNOWN_PATHS, 'expired', client.client_id.toLowerCase(), `${client.client_id}%20`];
  for (const path of unknown) {
    expect(await manage(app, `/clients/${path}`, own), path).toEqual(Array(4).fill(INVALID_TOKEN));
    expect(await manage(app, `/clients/${path}`, MASTER), path).toEqual(Array(4).fill(NOT_FOUND));
    expect(await manage(app, `/clients/${path}`, undefined), path).toEqual(Array(4).fill(MISSING_TOKEN));
  }
  expect(await manage(app, pathOf(foreign.client_id), own)).toEqual(Array(4).fill(INVALID_TOKEN));
});

it('sends identical responses for all of them, including the order of the headers', async () => {
  const { app, clock, storeClient } = await buildTestApp();
  const client = await registered(app);
  const foreign = await registered(app);
  await storeClient('expired', { expiresAt: Math.floor(clock.nowMs() / 1000) as EpochSeconds });
  for (const token of [client.registration_access_token, MASTER]) {
    const ids = [
      'unknown',
      'expired',
      '%zz',
      'x'.repeat(5_000),
      ...(token === MASTER ? [] : [foreign.client_id]),
    ];
    const responses = new Set<string>();
    for (const id of ids) {
      const headers = { authorization: `Bearer ${token}` };
      const {
        statusCode,
        rawPayload,
        headers: received,
      } = await app.inject({ url: `/clients/${id}`, headers });
      const entries = Object.entries(received).filter(([name]) => name !== 'date');
      responses.add(JSON.stringify([statusCode, entries, rawPayload.toString('hex')]));
    }
    expect([...responses]).toHaveLength(1);
  }
});

it('accepts no credential for a client except its own token and the master token', async () => {
  const { app, initialToken, accessToken, usesLeft } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
  });
  const client = await registered(app);
  const initial = await initialToken('client-reg');
  const others = [
    initial,
    await accessToken('identifier', client.client_id),
    await accessToken('jwt', client.client_id),
    client.client_secret,
    client.client_id,
    client.registration_access_token.slice(1),
    `${client.registration_access_token}x`,
    client.registration_access_token.toUpperCase(),
  ];
  for (const token of others)
    expect(await manage(app, pathOf(client.client_id), token), token).toEqual(Array(4).fill(INVALID_TOKEN));
  expect(await usesLeft(initial)).toBe(1);
});

it('requires a token before it reads the body, at every operation', async () => {
  const { app } = await buildTestApp();
  const operations = [
    'GET /clients',
    'GET /clients/x',
    'PUT /clients/x',
    'PATCH /clients/x',
    'DELETE /clients/x',
  ];
  for (const operation of operations)
    for (const type of ['application/json', 'text/plain'])
      expect(
        await send(app, operation, { payload: '{', headers: { 'content-type': type } }),
        operation,
      ).toEqual(MISSING_TOKEN);
});

it('checks the token before the body, so that a wrong token reveals nothing about the body', async () => {
  const { app, stored } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const { client_id: id, registration_access_token: token } = await registered(app);
  const { registration_access_token: foreign } = await registered(app);
  const path = pathOf(id);
  const before = await stored(id);
  const evaluated = [
    `PUT ${path}`,
    `PATCH ${path}`,
    `PUT ${path}?dry_run=true`,
    `PUT ${path}?dry_run=x`,
    `PUT ${path}/status`,
  ];
  const bodies = [
    ...HOSTILE_BODIES.map(([payload]) => ({ payload })),
    { body: {} },
    { body: BODY, headers: { 'content-type': 'text/plain' } },
  ];
  for (const operation of evaluated)
    for (const body of bodies) {
      for (const wrong of [foreign, 'x'.repeat(43)])
        expect(await send(app, operation, { token: wrong, ...body }), operation).toEqual(INVALID_TOKEN);
      expect(await send(app, operation.replace(id, 'x'), { token: MASTER, ...body })).toEqual(NOT_FOUND);
    }
  for (const operation of [`GET ${path}`, `DELETE ${path}`, 'GET /clients', `GET ${path}/status`])
    for (const body of bodies) {
      const call = { headers: { 'content-type': 'application/json' }, ...body };
      expect(await send(app, operation, { token: foreign, ...call }), operation).toEqual(INVALID_TOKEN);
    }
  expect(await stored(id)).toEqual(before);
  expect((await send(app, `PUT ${path}`, { token, payload: '{' })).status).toBe(400);
});

it.each(['false', 'true'])(
  'treats a malformed Authorization header as a missing token, at every operation (open mode: %s)',
  async (open) => {
    const { app, all } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: open });
    const { client_id: id } = await registered(app);
    const operations = [
      'POST /clients',
      'GET /clients',
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${pathOf(id)}`),
    ];
    for (const operation of operations) {
      const call = /^P/.test(operation) ? { body: { client_id: id, ...BODY } } : {};
      for (const authorization of MALFORMED_BEARERS)
        expect(await send(app, operation, { ...call, authorization }), authorization).toEqual(INVALID_TOKEN);
      for (const authorization of OTHER_SCHEMES)
        expect(await send(app, operation, { ...call, authorization }), authorization).toEqual(MISSING_TOKEN);
    }
    expect(await all()).toHaveLength(1);
  },
);
