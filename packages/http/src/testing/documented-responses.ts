import type { InjectOptions } from 'fastify';
import { Check } from 'typebox/schema';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import type { Server } from '../server/fastify-types.js';
import { type Seen, seenResponse } from './seen-response.js';

/** A request and its response. */
export interface Exchange extends Seen {
  readonly method: string;
  readonly url: string;
}

/** Sends a request and requires that its response is documented. */
export async function documentedResponse(
  server: Server,
  request: InjectOptions,
  document: OpenApiDocument,
): Promise<Seen> {
  const seen = await seenResponse(server, request);
  const { method = 'GET', url = '/' } = request;
  requireDocumented(document, { method, url: String(url), ...seen });
  return seen;
}

interface DocumentedHeader {
  readonly required: boolean;
  readonly schema: object;
}

interface DocumentedResponse {
  readonly headers: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/**
 * Checks that a response is documented: its path, method, status, headers and body. NDJSON lines are checked with the
 * schema of a line, or as the array of the JSON form if that is only a string; other bodies are checked as strings.
 * @throws TypeError that names what is not documented. Undocumented paths may respond only with an empty 404, and
 * undocumented methods only with an empty 405 with `allow`.
 */
export function requireDocumented(document: OpenApiDocument, exchange: Exchange): void {
  const path = Object.keys(document.paths).find((each) => pathPattern(each).test(exchange.url));
  if (path === undefined) {
    demand(exchange.status === 404 && exchange.body === '', exchange, 'path');
    return;
  }
  const operation = document.paths[path]?.[exchange.method.toLowerCase()];
  if (operation === undefined) {
    const { status, headers, body } = exchange;
    demand(status === 405 && body === '' && headers['allow'] !== undefined, exchange, 'method');
    return;
  }
  const responses = operation['responses'] as Readonly<Record<string, DocumentedResponse>>;
  const response = responses[String(exchange.status)];
  demand(response !== undefined, exchange, 'status');
  requireHeaders(exchange, response);
  requireBody(document, exchange, response);
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]*')}(?:\\?|$)`);
}

function requireHeaders(exchange: Exchange, documented: DocumentedResponse): void {
  const { headers } = exchange;
  for (const [name, { required }] of Object.entries(documented.headers))
    demand(!required || headers[name] !== undefined, exchange, `lack of ${name}`);
  for (const [name, value] of Object.entries(headers).filter(([each]) => each !== 'content-type')) {
    const header = documented.headers[name];
    demand(header !== undefined && Check(header.schema, value), exchange, name);
  }
}

function requireBody(document: OpenApiDocument, exchange: Exchange, { content }: DocumentedResponse): void {
  const { headers, body } = exchange;
  if (content === undefined) {
    demand(body === '' && headers['content-type'] === undefined, exchange, 'body');
    return;
  }
  const [mediaType = ''] = String(headers['content-type']).split(';', 1);
  const documented = content[mediaType];
  demand(documented !== undefined, exchange, 'media type');
  const schema = mediaType === NDJSON ? linesSchema(content) : documented.schema;
  demand(schema !== undefined, exchange, 'form');
  demand(
    Check(closed(document, schema), contentOf(mediaType, body)),
    exchange,
    `body ${body.slice(0, 2_000)}`,
  );
}

/** Returns the schema of the lines of an NDJSON body as an array. */
function linesSchema(content: NonNullable<DocumentedResponse['content']>): object | undefined {
  const line = content[NDJSON]?.schema;
  if (line === undefined || ('type' in line && line.type === 'string'))
    return content['application/json']?.schema;
  return { type: 'array', items: line };
}

/**
 * Returns a schema that refuses unlisted members. Documents leave objects open for future members, but current
 * responses must have only documented ones. It has no references: the checker would search the whole document for each.
 */
function closed(document: OpenApiDocument, schema: object): object {
  const known = CLOSED.get(schema);
  if (known !== undefined) return known;
  const pointer = '$ref' in schema ? String(schema.$ref) : undefined;
  const result =
    pointer === undefined ? closedMembers(document, schema) : closed(document, referred(document, pointer));
  CLOSED.set(schema, result);
  return result;
}

/** The schemas that refuse unlisted members, by those of the documents. */
const CLOSED = new WeakMap<object, object>();

function closedMembers(document: OpenApiDocument, schema: object): object {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close);
    return typeof part === 'object' && part !== null ? closed(document, part) : part;
  };
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, close(value)]));
  const patternProperties = members['x-patternProperties'];
  if (patternProperties !== undefined) return { ...members, patternProperties, additionalProperties: false };
  const isObject = members['type'] === 'object' && members['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...members } : members;
}

/** The component that a reference leads to. */
function referred(document: OpenApiDocument, pointer: string): object {
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, object>> };
  const component = schemas[pointer.replace('#/components/schemas/', '')];
  if (component === undefined) throw new TypeError(`the document has no ${pointer}`);
  return component;
}

const NDJSON = 'application/x-ndjson';

/** Parses a body as JSON, NDJSON or text. */
function contentOf(mediaType: string, body: string): unknown {
  if (mediaType === NDJSON)
    return body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return mediaType === 'application/json' ? JSON.parse(body) : body;
}

function demand(holds: boolean, { method, url, status }: Exchange, what: string): asserts holds {
  if (!holds) throw new TypeError(`${method} ${url} ${status} responds with an undocumented ${what}`);
}
