import Type, { type TSchema } from 'typebox';
import type { Route } from '../routes/route.js';
import type { HeaderDescription, OpenApiPart, OperationDescription } from './operation-description.js';

/** A parameter object of OpenAPI. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: TSchema;
}

/** Describes the path, query and header parameters of an operation. */
export function describeParameters(
  url: string,
  { schema }: Route,
  { parameters = {}, headers = {}, query: described = schema.querystring }: OperationDescription,
): readonly OpenApiPart[] {
  const path = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    pathParameter(name, parameters[name] ?? ''),
  );
  const query = Type.IsObject(described)
    ? Object.entries(described.properties).filter(isTaken).map(queryParameter)
    : [];
  return [...path, ...query, ...Object.entries(headers).map(headerParameter)].map((parameter) => ({
    ...parameter,
  }));
}

/** Leaves out parameters that are not allowed. */
function isTaken([, member]: [string, TSchema]): boolean {
  return !Type.IsNever(member);
}

function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', description, required: true, schema: Type.String() };
}

function queryParameter([name, member]: [string, TSchema]): Parameter {
  const { description = '', ...schema }: TSchema & { readonly description?: string } = member;
  return { name, in: 'query', description, required: !Type.IsOptional(member), schema };
}

function headerParameter([name, { description, schema, required = false }]: [
  string,
  HeaderDescription,
]): Parameter {
  return { name, in: 'header', description, required, schema };
}
