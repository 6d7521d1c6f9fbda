import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, NO_CONTENT, pathOf, registered, send, tagOf } from '../support/calls.js';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const JWK = { kty: 'EC', use: 'sig', kid: 'k1', alg: 'ES256', ...publicKey.export({ format: 'jwk' }) };

/** Members whose own members are in an order that the store does not keep. */
const BODY = {
  redirect_uris: ['https://app.example/cb'],
  jwks: { keys: [JWK] },
  data: { team: { name: 'a', id: 7 }, b: [{ zz: 1, y: { long: null, s: [] } }], '10': 1, '9': 2 },
};

it('sends the same tag for a client in the responses to POST, PUT and GET', async () => {
  const { app } = await buildTestApp();
  const response = await send(app, 'POST /clients', { token: MASTER, body: BODY });
  const { client_id: id, registration_access_token: token } = information(response);
  const isHeld = async (tag: string, bearer: string) => {
    const headers = { 'if-none-match': tag };
    return (await send(app, `GET ${pathOf(id)}`, { token: bearer, headers })).status === 304;
  };
  expect(await isHeld(tagOf(response), token)).toBe(true);
  const body = { ...BODY, client_id: id };
  const updated = await send(app, `PUT ${pathOf(id)}`, {
    token,
    headers: { 'if-match': tagOf(response) },
    body,
  });
  const { registration_access_token: next } = information(updated);
  expect(await isHeld(tagOf(updated), next)).toBe(true);
  const headers = { 'if-match': tagOf(updated) };
  expect(await send(app, `DELETE ${pathOf(id)}`, { token: next, headers })).toEqual(NO_CONTENT);
});

it('returns the same text under one tag, whatever the operation, including idempotency records', async () => {
  const { app } = await buildTestApp();
  const register = () =>
    send(app, 'POST /clients', { token: MASTER, body: BODY, headers: { 'idempotency-key': 'key' } });
  const response = await register();
  const { client_id: id, registration_access_token: token } = information(response);
  const read = await send(app, `GET ${pathOf(id)}`, { token });
  expect(read).toEqual(response);
  const { headers, body } = await register();
  expect({ body, tag: headers['etag'] }).toEqual({ body: read.body, tag: tagOf(read) });
  expect(JSON.parse(body)).toMatchObject(BODY);
});

it('sends different tags for values that differ only in depth', async () => {
  const { app } = await buildTestApp();
  const { client_id: id } = await registered(app, BODY);
  const tags = new Set<string>();
  for (const data of [{ a: { b: 1, c: 2 } }, { a: { b: 2, c: 1 } }, { a: [{ b: 1 }, { c: 2 }] }]) {
    const body = { ...BODY, data, client_id: id };
    tags.add(tagOf(await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body })));
  }
  expect(tags.size).toBe(3);
});
