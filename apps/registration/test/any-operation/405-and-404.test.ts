import { METHODS } from 'node:http';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { NO_STORE, NOT_FOUND, pathOf, registered, send } from '../support/calls.js';

it('responds with 405 and Allow, and Accept-Patch (RFC 5789 section 3.1), to every unsupported method, whatever the credentials', async () => {
  const { app, all } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const patched = { 'accept-patch': 'application/merge-patch+json' };
  for (const [path, allowed, hints] of [
    ['/clients', 'POST, GET', {}],
    [pathOf(id), 'GET, PUT, PATCH, DELETE', patched],
    ['/clients/unknown', 'GET, PUT, PATCH, DELETE', patched],
    [`${pathOf(id)}/status`, 'GET, PUT', {}],
  ] as const) {
    // A CONNECT request never reaches the application.
    const others = METHODS.filter((method) => method !== 'CONNECT' && !allowed.split(', ').includes(method));
    expect(others).toEqual(expect.arrayContaining(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']));
    for (const method of others) {
      for (const token of [undefined, MASTER]) {
        const headers = { 'x-http-method-override': 'GET', 'content-type': 'application/json' };
        expect(await send(app, `${method} ${path}`, { token, headers }), `${method} ${path}`).toEqual({
          status: 405,
          headers: { ...NO_STORE, allow: allowed, ...hints },
          body: '',
        });
      }
    }
  }
  expect(await all()).toHaveLength(1);
});

it('responds to no other spelling of its URLs', async () => {
  const { app } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const spellings = [
    '/',
    '/Clients',
    '/CLIENTS',
    '//clients',
    '/clients;x',
    '/clients.json',
    '/client',
    '/clients/a/b',
    `/clients/${id}/`,
    `/clients//${id}`,
    `/%2Fclients`,
    `/clients%2F${id}`,
    '/metrics',
    '/health/ready',
  ];
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const path of spellings)
      expect(await send(app, `${method} ${path}`, { token: MASTER }), `${method} ${path}`).toEqual(NOT_FOUND);
});

it('has no other routes than these and their description', async () => {
  const { app } = await buildTestApp({ API_PAGE_ENABLED: 'false' });
  await app.ready();
  const urls = app.printRoutes({ commonPrefix: false, method: 'GET' }).match(/[\w/:.*-]+(?= \()/g);
  expect(urls?.toSorted()).toEqual([
    '/.well-known/openapi/registration.json',
    '/:id',
    '/clients',
    '/registration-token',
    '/secret',
    '/status',
  ]);
});
