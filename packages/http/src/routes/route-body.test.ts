import Type from 'typebox';
import { afterAll, expect, it } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { sampleServer } from '../testing/index.js';
import { route } from './route.js';

const PATCH_TYPE = 'application/merge-patch+json';
const bodies: unknown[] = [];
const taking = (body?: ReturnType<typeof jsonBody>) =>
  route({
    schema: { body: Type.Object({}) },
    ...(body && { body }),
    handler: (request, reply) => {
      bodies.push(request.body);
      reply.send({});
    },
  });
const silent = route({ handler: (_request, reply) => reply.code(204).send() });
const { server } = sampleServer({
  '/own': { PUT: taking(), PATCH: taking(jsonBody({ mediaType: PATCH_TYPE, maxBytes: 20 })), DELETE: silent },
  '/plain': { PATCH: taking() },
});
afterAll(() => server.close());

type Verb = 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

async function send(method: Verb, url: string, type?: string, payload = '{"a":1}') {
  const headers = type === undefined ? {} : { 'content-type': type };
  const response = await server.inject({ method, url, headers, ...(type !== undefined && { payload }) });
  return [response.statusCode, response.headers['accept-patch']];
}

it('accepts the own media type of an operation there only, and no other one', async () => {
  expect(await send('PATCH', '/own', PATCH_TYPE)).toEqual([200, undefined]);
  expect(await send('PUT', '/own', 'application/json')).toEqual([200, undefined]);
  expect(bodies).toEqual([{ a: 1 }, { a: 1 }]);
  expect(await send('PATCH', '/own', 'application/json')).toEqual([400, PATCH_TYPE]);
  for (const method of ['PUT', 'DELETE'] as const)
    expect(await send(method, '/own', PATCH_TYPE), method).toEqual([400, undefined]);
  expect(await send('PATCH', '/plain', PATCH_TYPE)).toEqual([400, 'application/json']);
  expect(await send('PATCH', '/plain', 'application/json')).toEqual([200, undefined]);
});

it('applies the own limits of an operation and the usual body checks', async () => {
  for (const payload of [`{"a":"${'x'.repeat(20)}"}`, '', '{"__proto__":{}}', '{"a":1,"a":2}', 'null'])
    expect(await send('PATCH', '/own', PATCH_TYPE, payload), payload).toEqual([400, undefined]);
});

it('sends Accept-Patch with a 405 of a resource that supports PATCH (RFC 5789 section 3.1)', async () => {
  expect(await send('OPTIONS', '/own')).toEqual([405, PATCH_TYPE]);
  expect(await send('OPTIONS', '/plain')).toEqual([405, 'application/json']);
  expect(await send('OPTIONS', '/json')).toEqual([405, undefined]);
});
