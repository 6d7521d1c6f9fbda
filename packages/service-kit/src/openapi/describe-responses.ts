import Type, { type TSchema } from 'typebox';
import type { OpenApiPart } from './open-api-part.js';
import type { HeaderDescription, ResponseDescription } from './operation-description.js';

/** What every answer of a family carries. */
const COMMON_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'cache-control': {
    description: 'No answer may be stored.',
    schema: Type.Enum(['no-store']),
    required: true,
  },
  pragma: { description: 'The same for older caches.', schema: Type.Enum(['no-cache']), required: true },
};

/** The answers of an operation by status. @param answerHeaders what all of them have or may have */
export function describeResponses(
  responses: Readonly<Record<string, ResponseDescription>>,
  answerHeaders: Readonly<Record<string, HeaderDescription>>,
  refer: (schema: TSchema) => unknown,
): OpenApiPart {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, headers, content }]) => [
      status,
      {
        description,
        headers: describeHeaders({ ...COMMON_HEADERS, ...answerHeaders, ...headers }),
        ...(content !== undefined && { content: describeContent(content, refer) }),
      },
    ]),
  );
}

/** The contents of a message by media type. */
export function describeContent(
  content: Readonly<Record<string, TSchema>>,
  refer: (schema: TSchema) => unknown,
): OpenApiPart {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [mediaType, { schema: refer(schema) }]),
  );
}

function describeHeaders(headers: Readonly<Record<string, HeaderDescription>>): OpenApiPart {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema, required = false }]) => [
      name,
      { description, required, schema },
    ]),
  );
}
