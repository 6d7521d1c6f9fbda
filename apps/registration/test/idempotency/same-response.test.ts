import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  badRequest,
  INVALID_TOKEN,
  information,
  insufficientScope,
  MISSING_TOKEN,
  pathOf,
  type Seen,
  send,
} from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'], client_name: 'One' };
const OTHER_BODY = badRequest('invalid_request', 'Idempotency-Key: was used with another body');
const MALFORMED = badRequest(
  'invalid_request',
  'Idempotency-Key: must be a string of 1 to 255 visible ASCII characters',
);

type App = Parameters<typeof send>[0];

/** Registers with a key. */
function register(app: App, token: string | undefined, key: string, body: unknown = BODY): Promise<Seen> {
  return send(app, 'POST /clients', { token, body, headers: { 'idempotency-key': key } });
}

/** The same response as a replay: equal in everything except the header that marks it. */
function replayOf({ status, headers, body }: Seen): Seen {
  return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body };
}

it('returns the same response for the same key, token and body, and registers once', async () => {
  const { app, anotherInstance, initialToken, usesLeft, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  for (const token of [
    MASTER,
    await initialToken('client-reg'),
    await initialToken('client-reg', { usesLeft: 5 }),
  ]) {
    const before = (await all()).length;
    const first = await register(app, token, '"key-1"');
    information(first);
    for (const app_ of [app, other, app])
      expect(await register(app_, token, 'key-1')).toEqual(replayOf(first));
    expect(await all()).toHaveLength(before + 1);
    if (token !== MASTER) expect([0, 4]).toContain(await usesLeft(token));
  }
});

it('treats a body as the same however its JSON is written, and as another one if a value differs', async () => {
  const { app } = await buildTestApp();
  const body = {
    client_name: 'One',
    redirect_uris: ['https://app.example/cb'],
    data: { b: [1, { d: 1, c: 2 }], a: null },
  };
  const first = await register(app, MASTER, 'key', body);
  const rewritten =
    '{ "data": {"a":null, "b":[1e0,{"c":2,"d":1}]},\n"redirect_uris":["https://app.example\\/cb"],"client_name":"\\u004fne"}';
  const headers = { 'idempotency-key': 'key' };
  expect(await send(app, 'POST /clients', { token: MASTER, headers, payload: rewritten })).toEqual(
    replayOf(first),
  );
  // Unknown members have no meaning (RFC 7591 section 2).
  expect(await register(app, MASTER, 'key', { ...body, extra: 1 })).toEqual(replayOf(first));
  const others = [
    {},
    { ...body, client_name: 'Two' },
    { ...body, data: { ...body.data, b: [{ d: 1, c: 2 }, 1] } },
    { ...body, redirect_uris: 'none' },
  ];
  for (const other of others) expect(await register(app, MASTER, 'key', other)).toEqual(OTHER_BODY);
});

it('is valid only with the token that it came with, and exactly as it was written', async () => {
  const { app, initialToken, all } = await buildTestApp();
  const token = await initialToken('client-reg');
  const another = await initialToken('client-reg');
  information(await register(app, token, 'key'));
  information(await register(app, another, 'key'));
  information(await register(app, MASTER, 'key'));
  information(await register(app, MASTER, 'KEY'));
  expect(await all()).toHaveLength(4);
  for (const key of ['Key', 'key2', '"kex"']) expect(await register(app, token, key)).toEqual(INVALID_TOKEN);
  expect(await send(app, 'POST /clients', { token, body: BODY })).toEqual(INVALID_TOKEN);
  const headers = { 'idempotency-key': 'key2' };
  expect(await send(app, 'POST /clients', { token, payload: '{', headers })).toEqual(INVALID_TOKEN);
});

it('returns nothing for a one-time token that was revoked or expired, or in another operation', async () => {
  const { app, clock, initialToken, store } = await buildTestApp();
  const [revoked, expired] = [await initialToken('client-reg'), await initialToken('client-reg')];
  for (const token of [revoked, expired]) information(await register(app, token, 'key'));
  await store.database.initialAccessTokens.delete(
    store.digester.availableDigests('initial-access-token', revoked),
  );
  expect(await register(app, revoked, 'key')).toEqual(INVALID_TOKEN);
  clock.advanceSeconds(599);
  expect((await register(app, expired, 'key')).status).toBe(200);
  clock.advanceSeconds(1);
  expect(await register(app, expired, 'key')).toEqual(INVALID_TOKEN);
});

it('stores no failure', async () => {
  const { app, initialToken } = await buildTestApp();
  const token = await initialToken('client-reg:grant:code');
  expect((await register(app, token, 'key', { redirect_uris: ['none'] })).status).toBe(400);
  expect(await register(app, token, 'key', { ...BODY, data: {} })).toEqual(
    insufficientScope('The access token does not permit registering data.'),
  );
  information(await register(app, token, 'key'));
});

it('expires after the retention time, and then registers again', async () => {
  const { app, clock, all, store } = await buildTestApp({ IDEMPOTENCY_RETENTION_SECONDS: '60' });
  const first = await register(app, MASTER, 'key');
  clock.advanceSeconds(59);
  expect(await register(app, MASTER, 'key')).toEqual(replayOf(first));
  clock.advanceSeconds(1);
  const second = await register(app, MASTER, 'key', { ...BODY, client_name: 'Two' });
  expect(information(second).client_id).not.toBe(information(first).client_id);
  expect(await all()).toHaveLength(2);
  clock.advanceSeconds(60);
  expect((await store.database.cleanUp({ now: nowSeconds(clock) })).remembered_answer).toBe(1);
});

it('returns the first response, whatever happened to the client since', async () => {
  const { app } = await buildTestApp();
  const first = await register(app, MASTER, 'key');
  const { client_id: id } = information(first);
  await send(app, `DELETE ${pathOf(id)}`, { token: MASTER });
  expect(await register(app, MASTER, 'key')).toEqual(replayOf(first));
});

it('is ignored if idempotency is disabled', async () => {
  const { app, all } = await buildTestApp({
    IDEMPOTENCY_RETENTION_SECONDS: '0',
    ALLOW_OPEN_REGISTRATION: 'true',
  });
  for (const key of ['key', 'key', 'not a key']) information(await register(app, MASTER, key));
  information(await register(app, undefined, 'key'));
  expect(await all()).toHaveLength(4);
});

it('needs a token: a key alone would reveal the credentials of others', async () => {
  const open = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  expect(await register(open.app, undefined, 'key')).toEqual(
    badRequest('invalid_request', 'Idempotency-Key: requires an access token'),
  );
  expect(await open.all()).toEqual([]);
  const { app } = await buildTestApp();
  expect(await register(app, undefined, 'key')).toEqual(MISSING_TOKEN);
});

it('refuses an invalid key, after the token and before the body', async () => {
  const { app, initialToken, usesLeft } = await buildTestApp();
  const token = await initialToken('client-reg');
  for (const key of [
    '',
    '""',
    '"a',
    'a b',
    'a, b',
    'é',
    '"a";p',
    'x'.repeat(256),
    "'; DROP TABLE client; --",
  ]) {
    expect(await register(app, token, key), key).toEqual(MALFORMED);
    expect(await register(app, 'unknown', key), key).toEqual(INVALID_TOKEN);
  }
  expect(await usesLeft(token)).toBe(1);
});

it('stores key, token, body and response nowhere in plain text', async () => {
  const { app, clock, initialToken, store } = await buildTestApp();
  const token = await initialToken('client-reg');
  const { client_secret: secret = '', ...client } = information(await register(app, token, 'canary-key'));
  const digests = store.digester.availableDigests('idempotency-key', JSON.stringify([token, 'canary-key']));
  const text = JSON.stringify(await store.database.idempotencyRecords.find(digests, nowSeconds(clock)));
  expect(text).toContain('v1.');
  for (const word of [
    'canary-key',
    token,
    secret,
    client.registration_access_token,
    client.client_id,
    'app.example',
  ])
    expect(text).not.toContain(word);
});
