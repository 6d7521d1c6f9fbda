import { expect, it } from 'vitest';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import { operationIds, requireSoundDocument } from './sound-document.js';

const SOUND = {
  openapi: '3.1.1',
  paths: {
    '/a': {
      get: { operationId: 'readA', security: [{ token: [] }], response: { $ref: '#/components/schemas/A' } },
      put: {
        operationId: 'writeA',
        security: [{ token: [] }],
        requestBody: { content: { 'application/json': { schema: { type: 'string' }, example: 'a' } } },
      },
    },
  },
  components: { schemas: { A: {} }, securitySchemes: { token: {} } },
} satisfies OpenApiDocument;

it('finds every operation, in the order of the document', () => {
  expect(operationIds(SOUND)).toEqual(['readA', 'writeA']);
});

it.each([undefined, 1])(
  'refuses a request body with the example %s where a string is required',
  (example) => {
    const requestBody = { content: { 'application/json': { schema: { type: 'string' }, example } } };
    const { get, put } = SOUND.paths['/a'];
    const paths = { '/a': { get, put: { ...put, requestBody } } };
    expect(() => requireSoundDocument({ ...SOUND, paths })).toThrow('no example');
  },
);

it('refuses dangling references, unused components, and duplicate operation identifiers', () => {
  requireSoundDocument(SOUND);
  const twice = { '/a': SOUND.paths['/a'], '/b': { get: { ...SOUND.paths['/a'].get, security: [] } } };
  const defects: object[] = [
    { components: { ...SOUND.components, schemas: {} } },
    { components: { ...SOUND.components, schemas: { A: {}, B: {} } } },
    { components: { ...SOUND.components, securitySchemes: {} } },
    { components: { ...SOUND.components, securitySchemes: { token: {}, other: {} } } },
    { paths: twice },
  ];
  for (const defect of defects)
    expect(() => requireSoundDocument({ ...SOUND, ...defect }), JSON.stringify(defect)).toThrow(TypeError);
});

it.each([
  { type: 'object', properties: { names: { type: 'object', patternProperties: { a: {} } } } },
  { type: 'object', description: 'Anything.' },
  { type: ['object', 'null'] },
])('refuses a schema that generated clients have no type for: %j', (schema) => {
  const components = { ...SOUND.components, schemas: { A: schema } };
  expect(() => requireSoundDocument({ ...SOUND, components })).toThrow(TypeError);
});

it('refuses responses that forbid additional members, directly or by reference, but not such requests', () => {
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = { A: closed, B: { type: 'array', items: reference('A') } };
  const components = { ...SOUND.components, schemas };
  const bodies = { requestBody: { content: {} }, use: [reference('A'), reference('B')] };
  const written = { ...SOUND.paths['/a'].put, ...bodies };
  requireSoundDocument({ ...SOUND, components, paths: { '/a': { put: written } } });
  for (const content of [closed, reference('A'), reference('B')]) {
    const put = { ...written, responses: { 200: { content } } };
    const document = { ...SOUND, components, paths: { '/a': { put } } };
    expect(() => requireSoundDocument(document), JSON.stringify(content)).toThrow('may gain no members');
  }
});
