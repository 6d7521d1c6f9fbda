import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

/**
 * Compiles route schemas. Except for bodies, texts are converted to the types of the schema. The result for an empty
 * query is computed once, because most requests have no query.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const type = Compile(schema);
  const validate = (given: unknown) => {
    const value = httpPart === 'body' ? given : Value.Convert(schema, given);
    return type.Check(value) ? { value } : { error: type.Errors(value) };
  };
  if (httpPart !== 'querystring') return validate;
  const ofNone = validate(Object.freeze({}));
  return (query) => (isEmpty(query) ? ofNone : validate(query));
};

function isEmpty(query: object): boolean {
  for (const _name in query) return false;
  return true;
}
