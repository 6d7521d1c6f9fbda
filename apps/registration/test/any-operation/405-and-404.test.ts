import { METHODS } from 'node:http';
import type { Server } from '@vestibule/http';
import { documentedMethods } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { API_DOCUMENT, NO_STORE, NOT_FOUND, registered, send } from '../support/calls.js';

it('responds with 405 and Allow, and Accept-Patch (RFC 5789 section 3.1), to every unsupported method, whatever the credentials', async () => {
  const { app, all } = await buildTestApp();
  const { client_id: id } = await registered(app);
  for (const [path, allowed] of resources(id)) {
    const hints = allowed.includes('PATCH') ? { 'accept-patch': 'application/merge-patch+json' } : {};
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

it('has no other routes than the documented ones and their description', async () => {
  const { app } = await buildTestApp({ API_PAGE_ENABLED: 'false' });
  await app.ready();
  const documented = Object.keys(API_DOCUMENT.paths).map((path) => path.replace('{id}', ':id'));
  expect(routesOf(app).toSorted()).toEqual([...documented, API_DOCUMENT_PATH].toSorted());
});

/** Every documented path with its methods, once with the identifier of a client and once with an unknown one. */
function resources(id: string): (readonly [path: string, allowed: string])[] {
  return [id, 'unknown'].flatMap((name) =>
    documentedMethods(API_DOCUMENT).map(
      ([path, allowed]) => [path.replace('{id}', encodeURIComponent(name)), allowed] as const,
    ),
  );
}

/** The path of every route, from the tree that Fastify prints: a node is indented by four characters a level. */
function routesOf(app: Server): string[] {
  const nodes: string[] = [];
  return app
    .printRoutes({ commonPrefix: false, method: 'GET' })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', node = '', methods] = /^([│├└─ ]*)([^ ]+)( \(.*\))?$/.exec(line) ?? [];
      nodes.splice(indent.length / 4 - 1, nodes.length, node);
      return methods === undefined ? [] : [nodes.join('')];
    });
}
