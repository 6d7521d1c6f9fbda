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
  let schema = CLOSED.get(documented);
  if (schema === undefined) {
    const open = mediaType === NDJSON ? linesSchema(content) : documented.schema;
    demand(open !== undefined, exchange, 'form');
    // References lead to components only, and a small document is searched sooner.
    schema = Object(closed({ components: document.components, ...open })) as object;
    CLOSED.set(documented, schema);
  }
  demand(Check(schema, contentOf(mediaType, body)), exchange, `body ${body.slice(0, 2_000)}`);
}

/** The closed schema of each documented media type of a response. */
const CLOSED = new WeakMap<object, object>();

/** Returns the schema of the lines of an NDJSON body as an array. */
function linesSchema(content: NonNullable<DocumentedResponse['content']>): object | undefined {
  const line = content[NDJSON]?.schema;
  if (line === undefined || ('type' in line && line.type === 'string'))
    return content['application/json']?.schema;
  return { type: 'array', items: line };
}

/**
 * Returns a schema that refuses unlisted members. Documents leave objects open for future members, but current
 * responses must have only documented ones.
 */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const schema = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const patternProperties = schema['x-patternProperties'];
  if (patternProperties !== undefined) return { ...schema, patternProperties, additionalProperties: false };
  const isObject = schema['type'] === 'object' && schema['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...schema } : schema;
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
