import { DomainError } from '@vestibule/protocol';
import { afterAll, expect, it } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { route } from '../routes/route.js';
import { defineRouteGroup } from '../routes/route-group.js';
import { createServer } from '../server/server.js';
import { sampleErrors } from '../testing/index.js';

const server = createServer({ logger: false });
const routes = {
  '/fault': new Error('fault'),
  '/text': 'fault',
};
server.register(
  defineRouteGroup({
    name: 'careless',
    body: jsonBody(),
    // An error table with a body where none is allowed, and one that throws.
    errors: {
      ...sampleErrors,
      not_found: () => {
        throw new Error('SENSITIVE');
      },
    },
    routes: (resource) => {
      for (const [url, thrown] of Object.entries(routes)) {
        resource(url, {
          GET: route({
            handler: () => {
              throw thrown;
            },
          }),
        });
      }
      resource('/missing', {
        GET: route({
          handler: () => {
            throw new DomainError('not_found', 'It does not exist');
          },
        }),
      });
      resource('/headers', {
        GET: route({
          handler: (_request, reply) => {
            reply.header('location', '/elsewhere').header('set-cookie', 'a=b').code(201);
            throw new Error('after headers were set');
          },
        }),
      });
    },
  }),
);
server.register(
  defineRouteGroup({
    name: 'referring',
    body: jsonBody(),
    errors: {
      ...sampleErrors,
      server_error: (_error, _languages, requestId = 'none') => ({ status: 500, body: requestId }),
    },
    routes: (resource) => {
      resource('/reference', {
        GET: route({
          handler: () => {
            throw new Error('fault');
          },
        }),
      });
    },
  }),
);
const ids: string[] = [];
server.addHook('onRequest', async ({ id }) => void ids.push(id));
afterAll(() => server.close());

it('responds to an internal error without a body if the table has no response for it', async () => {
  for (const url of Object.keys(routes)) {
    const response = await server.inject({ method: 'GET', url });
    expect([response.statusCode, response.body, response.headers['content-type']]).toEqual([
      500,
      '',
      undefined,
    ]);
  }
});

it('drops the headers of the response that failed', async () => {
  const { statusCode, headers } = await server.inject({ method: 'GET', url: '/headers' });
  expect([statusCode, headers['location'], headers['set-cookie']]).toEqual([500, undefined, undefined]);
});

it('responds without a body if the error table itself fails', async () => {
  const response = await server.inject({ method: 'GET', url: '/missing' });
  expect([response.statusCode, response.body]).toEqual([500, '']);
});

it('tells the error table the identifier of the request in the log', async () => {
  const { body } = await server.inject({ method: 'GET', url: '/reference' });
  expect(body).toBe(ids.at(-1));
});
