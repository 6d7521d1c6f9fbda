import Type from 'typebox';
import { expect, it } from 'vitest';
import { jsonBody } from '../bodies/json-body.js';
import { PUBLIC_DOCUMENT } from '../routes/cross-origin.js';
import { route } from '../routes/route.js';
import { sampleErrors } from '../testing/sample-errors.js';
import { openApiDocument } from './openapi-document.js';

const Item = Type.Object({ name: Type.String() }, { $id: 'Item' });

const put = route({
  schema: {
    body: Item,
    querystring: Type.Object({
      limit: Type.Optional(Type.String({ description: 'How many.', pattern: '^1$' })),
    }),
  },
  description: {
    id: 'putItem',
    summary: 'Put an item',
    security: ['token', 'none'],
    parameters: { id: 'Which one.' },
    headers: { 'if-match': { description: 'A tag.', schema: Type.String() } },
    responses: {
      200: {
        description: 'All items.',
        headers: { etag: { description: 'The tag.', schema: Type.String(), required: true } },
        content: { 'application/json': Type.Array(Item) },
      },
    },
    errors: ['invalid_request', 'invalid_redirect_uri', 'missing_token', 'too_many_requests'],
  },
  handler: (_request, reply) => reply.send(),
});
const silent = route({ handler: (_request, reply) => reply.send() });

const document = JSON.parse(
  JSON.stringify(
    openApiDocument({
      title: 'Items',
      description: 'Keeps items.',
      version: '1',
      server: 'https://as.example',
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      tags: { items: 'Work with items.' },
      routeGroups: [
        {
          name: 'items',
          body: jsonBody(),
          errors: sampleErrors,
          routes: (resource) => {
            resource('/items/:id', { PUT: put, GET: silent });
            resource('/silent', { GET: silent });
          },
        },
      ],
    }),
  ),
);
const operation = document.paths['/items/{id}'].put;
const NO_STORE = {
  'cache-control': {
    description: 'Responses must not be stored.',
    required: true,
    schema: { enum: ['no-store'] },
  },
  pragma: { description: 'The same for older caches.', required: true, schema: { enum: ['no-cache'] } },
};

it('documents only routes that have a description', () => {
  expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://as.example' }] });
  expect(Object.keys(document.paths)).toEqual(['/items/{id}']);
  expect(Object.keys(document.paths['/items/{id}'])).toEqual(['put']);
  expect(operation.security).toEqual([{ token: [] }, {}]);
});

it('contains the licence, the descriptions of its tags, and the response to requests with too large headers', () => {
  expect(document.info.license).toEqual({ name: 'Apache License 2.0', identifier: 'Apache-2.0' });
  expect(document.tags).toEqual([{ name: 'items', description: 'Work with items.' }]);
  expect(operation.tags).toEqual(['items']);
  expect(operation.responses['431']).toMatchObject({ headers: { connection: { required: true } } });
  expect(operation.responses['431']).not.toHaveProperty('content');
});

it('uses the documented schemas of an operation for bodies and queries, where it has them', () => {
  const write = route({
    schema: { body: Item, querystring: Type.Object({ limit: Type.Optional(Type.String()) }) },
    description: {
      id: 'writeItems',
      summary: 'Write items',
      security: ['none'],
      query: Type.Object({ limit: Type.String() }),
      bodyByMediaType: { 'text/csv': Type.String() },
      responses: {},
      errors: [],
    },
    handler: (_request, reply) => reply.send(),
  });
  const { paths } = openApiDocument({
    title: 'Items',
    description: 'Keeps items.',
    version: '1',
    securitySchemes: {},
    tags: { items: 'Work with items.' },
    routeGroups: [
      {
        name: 'items',
        body: jsonBody(),
        errors: sampleErrors,
        routes: (resource) => resource('/items', { PUT: write }),
      },
    ],
  });
  expect(paths['/items']?.['put']).toMatchObject({
    parameters: [{ name: 'limit', in: 'query', required: true }],
    requestBody: {
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Item' } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
  });
});

it('takes parameters and bodies from the request schemas', () => {
  expect(operation.parameters).toEqual([
    { name: 'id', in: 'path', description: 'Which one.', required: true, schema: { type: 'string' } },
    {
      name: 'limit',
      in: 'query',
      description: 'How many.',
      required: false,
      schema: { type: 'string', pattern: '^1$' },
    },
    { name: 'if-match', in: 'header', description: 'A tag.', required: false, schema: { type: 'string' } },
  ]);
  const reference = { $ref: '#/components/schemas/Item' };
  expect(operation.requestBody).toEqual({
    required: true,
    content: { 'application/json': { schema: reference } },
  });
  expect(operation.responses['200'].content['application/json'].schema).toEqual({
    type: 'array',
    items: reference,
  });
  expect(document.components.schemas).toEqual({
    Item: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  });
});

it('describes failures as the error table presents them, and internal errors for every operation', () => {
  expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '429', '431', '500']);
  expect(operation.responses['400']).toMatchObject({
    description: 'invalid_request, invalid_redirect_uri',
    headers: NO_STORE,
    content: {
      'application/json': {
        schema: { properties: { error: { enum: ['invalid_request', 'invalid_redirect_uri'] } } },
      },
    },
  });
  expect(operation.responses['401'].headers['www-authenticate']).toMatchObject({ required: true });
  expect(operation.responses['429'].headers['retry-after']).toMatchObject({ required: true });
  expect(operation.responses['500']).toEqual({ description: 'server_error', headers: NO_STORE });
});

it('describes the CORS headers of a route group with cross-origin access', () => {
  const pages = { origins: [], requestHeaders: ['Authorization'], exposedHeaders: ['ETag', 'Link'] };
  const { paths } = openApiDocument({
    title: 'Items',
    description: 'Keeps items.',
    version: '1',
    securitySchemes: {},
    tags: { items: 'Work with items.' },
    routeGroups: [
      {
        name: 'items',
        body: jsonBody(),
        errors: sampleErrors,
        crossOrigin: pages,
        routes: (resource) => resource('/items/:id', { PUT: put }),
      },
    ],
  });
  for (const status of ['200', '400', '500'])
    expect(paths['/items/{id}']?.['put']).toHaveProperty(['responses', status, 'headers'], {
      ...operation.responses[status].headers,
      vary: { description: expect.any(String), required: false, schema: { enum: ['Origin'] } },
      'access-control-allow-origin': {
        description: expect.any(String),
        required: false,
        schema: { type: 'string', pattern: '^(?:\\*|https?://[^/]+)$' },
      },
      'access-control-expose-headers': {
        description: expect.any(String),
        required: false,
        schema: { enum: ['ETag, Link'] },
      },
    });
});

it('describes that pages of every origin may read a public document, and no other resource of the route group', () => {
  const { paths } = openApiDocument({
    title: 'Items',
    description: 'Keeps items.',
    version: '1',
    securitySchemes: {},
    tags: { items: 'Work with items.' },
    routeGroups: [
      {
        name: 'items',
        body: jsonBody(),
        errors: sampleErrors,
        routes: (resource) => {
          resource('/items/:id', { PUT: put });
          resource('/public/:id', { PUT: put }, PUBLIC_DOCUMENT);
        },
      },
    ],
  });
  const plain = operation.responses['200'].headers;
  expect(paths['/items/{id}']?.['put']).toHaveProperty(['responses', '200', 'headers'], plain);
  expect(paths['/public/{id}']?.['put']).toHaveProperty(['responses', '200', 'headers'], {
    ...plain,
    'access-control-allow-origin': {
      description: expect.any(String),
      required: true,
      schema: { enum: ['*'] },
    },
  });
});
