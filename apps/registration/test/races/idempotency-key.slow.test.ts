import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, type Seen, send } from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const headers = { 'idempotency-key': '"one"' };

// A caller that retries before it has the response must not end up with two clients.
it('creates one client for 100 parallel requests over two instances, with one response for all', async () => {
  const { app, anotherInstance, initialToken, usesLeft, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const many = await initialToken('client-reg', { usesLeft: 1_000 });
  const once = await initialToken('client-reg');
  for (const [index, token] of [MASTER, many, once].entries()) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, turn) =>
        send(turn % 2 === 0 ? app : other, 'POST /clients', { token, body: BODY, headers }),
      ),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
    expect(await all()).toHaveLength(index + 1);
  }
  expect(await usesLeft(many)).toBe(999);
});

it('gives a requested identifier to one client, and its response to all requests for it', async () => {
  const { app, anotherInstance, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const body = { ...BODY, preferred_client_id: 'wanted' };
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      send(turn % 2 === 0 ? app : other, 'POST /clients', { token: MASTER, body, headers }),
    ),
  );
  expect(new Set(responses.map(({ status, body: text }) => `${status} ${text}`)).size).toBe(1);
  expect(await all()).toHaveLength(1);
});

it('accepts one of parallel requests with different bodies, and refuses the others', async () => {
  const { app, anotherInstance, all } = await buildTestApp();
  const { app: other } = await anotherInstance();
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      send(turn % 2 === 0 ? app : other, 'POST /clients', {
        token: MASTER,
        body: { ...BODY, client_name: `name ${turn}` },
        headers,
      }),
    ),
  );
  const lost = responses.filter(({ status }) => status !== 200);
  expect(lost).toEqual(
    Array(39).fill(badRequest('invalid_request', 'Idempotency-Key: was used with another body')),
  );
  expect(await all()).toHaveLength(1);
});

// A minute of a rotation in which one instance has reloaded the keys and the other one has not.
it.each(['before', 'after'])(
  'creates one client while instances have different digest keys: %s the new one is used',
  async (phase) => {
    const service = await buildTestApp();
    const { app, store, keys, clock, anotherInstance, initialToken, all } = service;
    const early = await anotherInstance();
    const data = {
      store: store.database.dataKeys,
      keyEncryptionKeys: parseKeyEncryptionKeys(keys),
      clock,
      random: secureRandom,
    };
    const { id } = await addDataKey(data, 'digest');
    clock.advanceSeconds(60);
    if (phase === 'after') {
      await Promise.all([service, early].map(({ store: one }) => one.refreshDigestKeys()));
      await activateDataKey(data, id);
    }
    const token = await initialToken('client-reg', { usesLeft: 1_000 });
    await early.store.refreshDigestKeys();
    for (let turn = 0; turn < 10; turn += 1) {
      const one = { token, body: BODY, headers: { 'idempotency-key': `"parallel-${turn}"` } };
      const responses = await Promise.all([
        send(early.app, 'POST /clients', one),
        send(app, 'POST /clients', one),
      ]);
      expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    }
    const later = { token, body: BODY, headers: { 'idempotency-key': '"one-after-the-other"' } };
    await send(early.app, 'POST /clients', later);
    expect(isReplay(await send(app, 'POST /clients', later))).toBe(true);
    expect(await all()).toHaveLength(11);
  },
);

// The rotation skipped the step before the key is used, so one instance lacks the key.
it('finds a response that an instance stored under a key that it has not read', async () => {
  const { app, store, keys, clock, anotherInstance, initialToken, all } = await buildTestApp();
  const early = await anotherInstance();
  const keyEncryptionKeys = parseKeyEncryptionKeys(keys);
  const data = { store: store.database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const { id } = await addDataKey(data, 'digest');
  clock.advanceSeconds(60);
  await activateDataKey(data, id);
  const call = { token: await initialToken('client-reg', { usesLeft: 9 }), body: BODY, headers };
  await early.store.refreshDigestKeys();
  const first = await send(early.app, 'POST /clients', call);
  const second = await send(app, 'POST /clients', call);
  expect({ ...second, headers: {} }).toEqual({ ...first, headers: {} });
  expect(isReplay(second)).toBe(true);
  expect(await all()).toHaveLength(1);
});

function isReplay({ headers: received }: Seen): boolean {
  return received['idempotency-replayed'] === 'true';
}
