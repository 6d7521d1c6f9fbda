import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { compileValidator } from './compile-validator.js';

const Query = Type.Object({ limit: Type.Integer({ minimum: 1 }) });

function validatorOf(schema: Type.TSchema) {
  return compileValidator({ schema, httpPart: 'querystring', method: 'GET', url: '/things' });
}

it('validates a query by its schema, also a missing query', () => {
  const isRefused = (schema: Type.TSchema, query: object) => 'error' in Object(validatorOf(schema)(query));
  expect(isRefused(Query, {})).toBe(true);
  expect(isRefused(Type.Partial(Query), {})).toBe(false);
  expect(isRefused(Query, { limit: '0' })).toBe(true);
  expect(validatorOf(Query)({ limit: '7' })).toEqual({ value: { limit: 7 } });
});

it('never shares a query object between requests', () => {
  const validate = validatorOf(Type.Partial(Query));
  expect(validate({})).toEqual({ value: {} });
  expect(Object.isFrozen(Object(validate({})).value)).toBe(true);
});
