import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys, rewrapDataKeys } from '@vestibule/crypto/data-keys';
import { useDigestKeyUnder } from '@vestibule/crypto/testing';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER, type TestApp } from '../support/build-test-app.js';
import { information, pathOf, send, tagOf } from '../support/calls.js';
import { initialJwt } from '../support/initial-jwt.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };
const TOKEN = 'i'.repeat(43);

/** Two instances, one of which writes under a digest key that the other cannot decrypt until it is wrapped anew. */
async function instancesApart() {
  const here = await buildTestApp();
  const [own, foreign] = [here.keys, randomBytes(32).toString('base64url')];
  const held = await here.initialToken('client-reg');
  const { store, clock } = here;
  const { dataKeys } = store.database;
  await useDigestKeyUnder(foreign, { store: dataKeys, clock });
  const there = await here.anotherInstance({ ENCRYPTION_KEYS: `${foreign},${own}` });
  const digest = there.store.digester.digest('initial-access-token', TOKEN);
  await here.initialToken('client-reg', { digest });
  await store.refreshDigestKeys();
  const rewrap = async () => {
    const keyEncryptionKeys = parseKeyEncryptionKeys(`${own},${foreign}`);
    await rewrapDataKeys({ store: dataKeys, keyEncryptionKeys, clock, random: secureRandom });
    await store.refreshDigestKeys();
  };
  return { here, there, held, rewrap };
}

const register = ({ app }: Pick<TestApp, 'app'>, token: string, key?: string) =>
  send(app, 'POST /clients', { token, body: BODY, ...(key && { headers: { 'idempotency-key': key } }) });

it('rejects no initial access token that may be under a digest key that cannot be decrypted', async () => {
  const { here, there, held, rewrap } = await instancesApart();
  const jwt = await initialJwt(there);
  for (const token of [TOKEN, jwt, 'u'.repeat(43)]) expect((await register(here, token)).status).toBe(500);
  information(await register(here, held));
  await rewrap();
  for (const token of [TOKEN, jwt]) information(await register(here, token));
  expect((await register(here, 'u'.repeat(43))).status).toBe(401);
});

it('returns one response for an idempotency key on every instance, even if one cannot decrypt a digest key', async () => {
  const { here, there, rewrap } = await instancesApart();
  for (const [one, other, key] of [
    [there, here, 'key'],
    [here, there, 'another'],
  ] as const) {
    const first = information(await register(one, MASTER, key));
    const count = (await here.all()).length;
    expect(JSON.parse((await register(other, MASTER, key)).body)).toEqual(first);
    expect(await here.all()).toHaveLength(count);
  }
  await rewrap();
  const count = (await here.all()).length;
  expect((await register(here, MASTER, 'another')).status).toBe(200);
  expect(await here.all()).toHaveLength(count);
});

it('does not report a client as changed, or a secret as wrong, if that may be under such a key', async () => {
  const { here, there, rewrap } = await instancesApart();
  const made = await register(there, MASTER);
  const { client_id: id, client_secret: secret } = information(made);
  const put = (members: object, tag?: string) =>
    send(here.app, `PUT ${pathOf(id)}`, {
      token: MASTER,
      body: { ...BODY, client_id: id, ...members },
      ...(tag !== undefined && { headers: { 'if-match': tag } }),
    });
  const read = () => send(there.app, `GET ${pathOf(id)}`, { token: MASTER });
  expect((await put({}, tagOf(await read()))).status).toBe(500);
  expect((await put({ client_secret: secret })).status).toBe(500);
  information(await put({}, tagOf(await send(here.app, `GET ${pathOf(id)}`, { token: MASTER }))));
  await rewrap();
  information(await put({}, tagOf(await read())));
  expect((await put({ client_secret: 'wrong' })).status).toBe(400);
});
