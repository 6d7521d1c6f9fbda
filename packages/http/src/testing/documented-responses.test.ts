import { expect, it } from 'vitest';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import { requireDocumented } from './documented-responses.js';

const json = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});

const DOCUMENT = {
  paths: {
    '/things': {
      get: {
        responses: {
          200: { headers: {}, content: json('Thing') },
          404: { headers: {}, content: json('Problem') },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: { name: { type: 'string' }, owner: { $ref: '#/components/schemas/Owner' } },
      },
      Owner: { type: 'object', properties: { id: { type: 'number' } } },
      Problem: { type: 'object', properties: { error: { type: 'string' } } },
    },
  },
} as unknown as OpenApiDocument;

function check(status: number, body: object): () => void {
  const headers = { 'content-type': 'application/json' };
  const exchange = { method: 'GET', url: '/things', status, headers, body: JSON.stringify(body) };
  return () => requireDocumented(DOCUMENT, exchange);
}

it('accepts a response as its status documents it', () => {
  expect(check(200, { name: 'a', owner: { id: 1 } })).not.toThrow();
  expect(check(404, { error: 'gone' })).not.toThrow();
});

it.each<[string, number, object]>([
  ['a wrong type', 200, { name: 1 }],
  ['a member that is not documented', 200, { color: 'red' }],
  ['such a member of a schema that another refers to', 200, { owner: { id: 1, name: 'a' } }],
  ['the body of another status', 404, { name: 'a' }],
  ['a status that is not documented', 500, {}],
])('refuses %s', (_, status, body) => {
  expect(check(status, body)).toThrow(/undocumented/);
});
