import { seenResponse } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API, aForwardAuth, ISSUER } from './support/forward-auth-fixture.js';

const PATH = '/.well-known/oauth-protected-resource';
const routes = (scope: string) => [
  { path: '/a', scope },
  { path: '/b', scope: `${scope} x` },
  { path: '/c', access: 'public' },
];

it('publishes the metadata of each resource at its host and path (RFC 9728)', async () => {
  const { app } = await aForwardAuth({
    resources: [
      { identifier: API, name: 'Orders', documentation: 'https://docs.example', routes: routes('o') },
      { identifier: 'https://b.example/v1', dpop: 'required', routes: routes('b') },
    ],
  });
  const read = async (host: string, url: string) => {
    const { status, headers, body } = await seenResponse(app, { url, headers: { host } });
    return status === 200 ? { headers, document: JSON.parse(body) } : status;
  };
  expect(await read('API.example:443', PATH)).toMatchObject({
    headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    document: {
      resource: API,
      authorization_servers: [ISSUER],
      scopes_supported: ['o', 'x'],
      resource_name: 'Orders',
      resource_documentation: 'https://docs.example',
    },
  });
  expect(await read('b.example', `${PATH}/v1?x`)).toMatchObject({
    document: { resource: 'https://b.example/v1', dpop_bound_access_tokens_required: true },
  });
  expect(await read('b.example', PATH)).toBe(404);
  expect(await read('other.example', PATH)).toBe(404);
  expect(await read('api.example:8443', PATH)).toBe(404);
});

it('lets pages of every origin read the metadata and the keys, with the version of MCP in the request', async () => {
  const { app } = await aForwardAuth({ resources: [{ identifier: API, routes: routes('o') }] });
  const headers = {
    host: 'api.example',
    origin: 'https://app.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'mcp-protocol-version',
  };
  for (const url of [PATH, `${PATH}/x`, '/jwks']) {
    const preflight = await app.inject({ method: 'OPTIONS', url, headers });
    expect([url, preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([
      url,
      204,
      'Content-Type, MCP-Protocol-Version',
    ]);
    expect((await app.inject({ url, headers })).headers['access-control-allow-origin'], url).toBe('*');
  }
  const check = await app.inject({ method: 'OPTIONS', url: '/check', headers });
  expect([check.statusCode, check.headers['access-control-allow-origin']]).toEqual([405, undefined]);
});
