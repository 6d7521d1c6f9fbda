import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import Type, { type TSchema } from 'typebox';
import { ANY_ORIGIN, type CrossOriginOptions } from '../routes/cross-origin.js';
import type {
  Examples,
  HeaderDescription,
  OpenApiPart,
  ResponseDescription,
} from './operation-description.js';

/** Headers of every response of a route group. */
const COMMON_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'cache-control': {
    description: 'Responses must not be stored.',
    schema: Type.Enum(['no-store']),
    required: true,
  },
  pragma: { description: 'The same for older caches.', schema: Type.Enum(['no-cache']), required: true },
};

/** Response to a request whose headers exceed Node's limit; no operation sees it. */
export const HEAD_TOO_LARGE: OpenApiPart = {
  description:
    'The request line and the headers are larger than 16 KiB. The response has no body, and the connection is closed.',
  headers: describeHeaders({
    connection: { description: 'The connection is closed.', schema: Type.Enum(['close']), required: true },
  }),
};

/** Merges responses and failures by status. If both have a status, the result allows the content of either. */
export function withFailures(
  responses: Readonly<Record<number, ResponseDescription>>,
  failures: Readonly<Record<number, ResponseDescription>>,
): Readonly<Record<number, ResponseDescription>> {
  const joined = Object.entries(failures).map(([status, failure]) => {
    const own = responses[Number(status)];
    return [status, own === undefined ? failure : eitherOf(own, failure)];
  });
  return { ...responses, ...Object.fromEntries(joined) };
}

/** Combines two descriptions; headers become optional. */
function eitherOf(one: ResponseDescription, other: ResponseDescription): ResponseDescription {
  const headers = { ...other.headers, ...one.headers };
  const optional = Object.entries(headers).map(([name, header]) => [name, { ...header, required: false }]);
  return {
    description: `${one.description} Or ${other.description}.`,
    headers: Object.fromEntries(optional),
    content: { ...one.content, ...other.content },
    examples: { ...one.examples, ...other.examples },
  };
}

/**
 * Describes the responses of an operation by status.
 * @param responseHeaders headers that all of them may have
 */
export function describeResponses(
  responses: Readonly<Record<string, ResponseDescription>>,
  responseHeaders: Readonly<Record<string, HeaderDescription>>,
  refer: (schema: TSchema) => unknown,
): OpenApiPart {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, headers, content, examples }]) => [
      status,
      {
        description,
        headers: describeHeaders({ ...COMMON_HEADERS, ...responseHeaders, ...headers }),
        ...(content !== undefined && { content: describeContent(content, refer, examples) }),
      },
    ]),
  );
}

/** Describes the content of a message by media type, each with its example. */
export function describeContent(
  content: Readonly<Record<string, TSchema>>,
  refer: (schema: TSchema) => unknown,
  examples: Examples = {},
): OpenApiPart {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => {
      const example = examples[mediaType];
      const shown = mediaType === MEDIA_TYPE.form ? withFieldExamples(schema, example) : schema;
      return [mediaType, { schema: refer(shown), ...(example !== undefined && { example }) }];
    }),
  );
}

/**
 * Copies the example to the members, because Swagger UI fills form fields from member examples. It does not send empty
 * fields.
 */
function withFieldExamples(schema: TSchema, example: unknown): TSchema {
  if (!Type.IsObject(schema)) return schema;
  const values = new Map(Object.entries(Object(example)));
  const properties = Object.entries(schema.properties).map(([name, member]) => [
    name,
    { ...member, examples: [values.get(name) ?? ''] },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function describeHeaders(headers: Readonly<Record<string, HeaderDescription>>): OpenApiPart {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema, required = false }]) => [
      name,
      { description, required, schema },
    ]),
  );
}

/**
 * Describes the response headers of CORS (Fetch Standard, "CORS protocol"). If only some origins may be allowed, none is
 * required, because which ones is a setting of the service.
 */
export function describeCrossOrigin({
  origins,
  exposedHeaders,
}: CrossOriginOptions): Readonly<Record<string, HeaderDescription>> {
  const exposed = exposedHeaders.length > 0 && {
    'access-control-expose-headers': {
      description: 'Headers that such a page may read in addition to the CORS-safelisted ones.',
      schema: Type.Enum([exposedHeaders.join(', ')]),
    },
  };
  if (origins.includes(ANY_ORIGIN))
    return {
      'access-control-allow-origin': {
        description: 'Pages of every origin may read the response.',
        schema: Type.Enum([ANY_ORIGIN]),
        required: true,
      },
      ...exposed,
    };
  return {
    vary: {
      description: 'Present if the service allows some origins: the CORS headers depend on the origin.',
      schema: Type.Enum(['Origin']),
    },
    'access-control-allow-origin': {
      description: 'The calling origin, if its pages may read the response; `*` if every origin may.',
      schema: Type.String({ pattern: '^(?:\\*|https?://[^/]+)$' }),
    },
    ...exposed,
  };
}
