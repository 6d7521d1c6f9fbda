import { METHODS } from 'node:http';
import { documentedMethods } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { API_DOCUMENT, NO_STORE, NOT_FOUND, send } from '../support/calls.js';

/** Paths without a part in the API document. */
const UNDOCUMENTED = {
  '/.well-known/openid-configuration': 'GET',
  '/.well-known/oauth-authorization-server': 'GET',
  '/.well-known/openapi/authorization.json': 'GET',
  '/jwks.json': 'GET',
  '/authorize': 'GET, POST',
  '/par': 'POST, OPTIONS',
  '/token': 'POST, OPTIONS',
  '/token/revoke': 'POST, OPTIONS',
  '/userinfo': 'GET, POST, OPTIONS',
};

/** Documents that pages of every origin may read. */
const PUBLIC = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/jwks.json'];

it('responds with 405 and Allow to every unsupported method', async () => {
  const { app } = await buildTestApp();
  const documented = documentedMethods(API_DOCUMENT).map(
    ([path, allow]) => [path.replace('{sid}', 'x'), allow] as const,
  );
  for (const [path, allow] of [...documented, ...Object.entries(UNDOCUMENTED)]) {
    // A CONNECT request never reaches the application.
    for (const method of METHODS.filter((known) => known !== 'CONNECT' && !allow.split(', ').includes(known)))
      expect(await send(app, `${method} ${path}`, { token: MASTER }), `${method} ${path}`).toEqual({
        status: 405,
        headers: {
          ...NO_STORE,
          allow,
          ...(PUBLIC.includes(path) && { 'access-control-allow-origin': '*' }),
        },
        body: '',
      });
  }
});

it('responds with 404 at other paths', async () => {
  const { app } = await buildTestApp();
  const paths = [
    '/',
    '/direct-authz/',
    '/Direct-Authz',
    '//direct-authz',
    '/direct-authz/revoke/x',
    '/jwks',
    '/tokens',
    '/authorize/x/y',
  ];
  for (const path of [
    ...paths,
    '/direct-authz/sessions/x/y',
    '/.well-known',
    '/.well-known/openid-configuration/x',
  ])
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await send(app, `${method} ${path}`, { token: MASTER }), path).toEqual(NOT_FOUND);
});
