import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, information, NO_CONTENT, pathOf, registered, send } from '../support/calls.js';
import { cuttingProxy } from '../support/cutting-proxy.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** A service with an instance whose database connections can be cut at a statement. */
async function aFragileInstance() {
  const service = await buildTestApp();
  const proxy = await cuttingProxy(service.databaseUrl);
  const { app, store } = await service.anotherInstance({ DATABASE_URL: proxy.url });
  // Only one statement runs at a time, so that the intended one is cut.
  const nextWrite = (cut: Parameters<typeof proxy.cutNext>[0], method: 'create' | 'replace' | 'delete') => {
    const { clients } = store.database;
    const original: (...args: never[]) => unknown = clients[method];
    Object.assign(clients, {
      [method]: (...args: never[]) => {
        Object.assign(clients, { [method]: original });
        proxy.cutNext(cut);
        return original(...args);
      },
    });
  };
  return { ...service, fragile: app, nextWrite };
}

const CUTS = ['before the statement', 'before the response'] as const;

describe.each(CUTS)('a connection that is lost %s', (cut) => {
  // Otherwise a token could be consumed without a client, or a client be created without a token.
  it('consumes an initial access token exactly if the client is created', async () => {
    const { fragile, nextWrite, initialToken, usesLeft, all } = await aFragileInstance();
    const token = await initialToken('client-reg');
    nextWrite(cut, 'create');
    expect(await send(fragile, 'POST /clients', { token, body: BODY })).toEqual(FAULT);
    const isCommitted = cut === 'before the response';
    expect(await usesLeft(token)).toBe(isCommitted ? 0 : 1);
    expect(await all()).toHaveLength(isCommitted ? 1 : 0);
    const again = await send(fragile, 'POST /clients', { token, body: BODY });
    expect(again.status).toBe(isCommitted ? 401 : 200);
    expect(await all()).toHaveLength(1);
  });

  it('returns the client when the registration is repeated with its idempotency key', async () => {
    const { fragile, nextWrite, initialToken, usesLeft, all } = await aFragileInstance();
    const token = await initialToken('client-reg');
    const call = { token, body: BODY, headers: { 'idempotency-key': '"once"' } };
    nextWrite(cut, 'create');
    expect(await send(fragile, 'POST /clients', call)).toEqual(FAULT);
    const { client_id: id, ...rest } = JSON.parse((await send(fragile, 'POST /clients', call)).body);
    expect((await all()).map((client) => client.id)).toEqual([id]);
    expect(await usesLeft(token)).toBe(0);
    const read = await send(fragile, `GET ${pathOf(id)}`, { token: rest.registration_access_token });
    expect(information(read)).toEqual({ client_id: id, ...rest });
  });

  it('leaves the registration token valid, so that the update can be repeated', async () => {
    const { fragile, nextWrite, stored } = await aFragileInstance();
    const {
      client_id: id,
      registration_access_token: token,
      client_secret: secret,
    } = await registered(fragile);
    const update = { token, body: { ...BODY, client_id: id, client_name: 'Two' } };
    nextWrite(cut, 'replace');
    expect(await send(fragile, `PUT ${pathOf(id)}`, update)).toEqual(FAULT);
    expect((await stored(id))?.version).toBe(cut === 'before the response' ? 2 : 1);
    const read = information(await send(fragile, `GET ${pathOf(id)}`, { token }));
    expect(read.client_secret === secret).toBe(cut === 'before the statement');
    const repeated = information(await send(fragile, `PUT ${pathOf(id)}`, update));
    expect(repeated).toMatchObject({ client_name: 'Two' });
    const next = repeated.registration_access_token;
    expect(information(await send(fragile, `GET ${pathOf(id)}`, { token: next }))).toEqual(repeated);
    expect((await send(fragile, `GET ${pathOf(id)}`, { token })).status).toBe(401);
  });

  it('deletes completely or not at all, and the deletion can be repeated', async () => {
    const { fragile, nextWrite, all, accessToken } = await aFragileInstance();
    const { client_id: id } = await registered(fragile);
    await accessToken('identifier', id);
    nextWrite(cut, 'delete');
    expect(await send(fragile, `DELETE ${pathOf(id)}`, { token: MASTER })).toEqual(FAULT);
    const isCommitted = cut === 'before the response';
    expect(await all()).toHaveLength(isCommitted ? 0 : 1);
    const again = await send(fragile, `DELETE ${pathOf(id)}`, { token: MASTER });
    expect(again.status).toBe(isCommitted ? 404 : NO_CONTENT.status);
    expect(await all()).toEqual([]);
  });
});
