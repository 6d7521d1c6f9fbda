import { expect, it, onTestFinished } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { createServer } from '../server/server.js';
import { sampleErrors } from '../testing/index.js';
import { PUBLIC_DOCUMENT } from './cross-origin.js';
import { route } from './route.js';
import { type AddResource, defineRouteGroup } from './route-group.js';

const PAGE = 'https://app.example';
const PREFLIGHT = {
  origin: PAGE,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'mcp-protocol-version',
};
const read = route({ handler: (_request, reply) => reply.send({}) });

function serve(routes: (resource: AddResource) => void) {
  const server = createServer({ logger: false });
  onTestFinished(() => server.close());
  server.register(defineRouteGroup({ name: 'sample', body: jsonBody(), errors: sampleErrors, routes }));
  return async (
    method: 'GET' | 'OPTIONS' | 'POST',
    url: string,
    headers: Readonly<Record<string, string>>,
  ) => {
    const { statusCode: status, headers: received } = await server.inject({ method, url, headers });
    const about = Object.entries(received).filter(([name]) => /^access-control-|^vary$/.test(name));
    return { status, about: Object.fromEntries(about) };
  };
}

it('lets pages of every origin read a public document, and no other resource of the route group', async () => {
  const send = serve((resource) => {
    resource('/keys', { GET: read }, PUBLIC_DOCUMENT);
    resource('/private', { GET: read });
  });
  for (const origin of [PAGE, 'null'])
    expect(await send('GET', '/keys', { origin })).toEqual({
      status: 200,
      about: { 'access-control-allow-origin': '*' },
    });
  expect(await send('GET', '/private', { origin: PAGE })).toEqual({ status: 200, about: {} });
  expect(await send('OPTIONS', '/private', PREFLIGHT)).toEqual({ status: 405, about: {} });
});

it('lets pages send the version of MCP with the request for a public document, and read the refusal of a method', async () => {
  const send = serve((resource) => resource('/keys', { GET: read }, PUBLIC_DOCUMENT));
  expect(await send('OPTIONS', '/keys', PREFLIGHT)).toEqual({
    status: 204,
    about: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '7200',
    },
  });
  expect(await send('OPTIONS', '/keys', {})).toMatchObject({ status: 405 });
  expect(await send('POST', '/keys', { origin: PAGE })).toEqual({
    status: 405,
    about: { 'access-control-allow-origin': '*' },
  });
});
