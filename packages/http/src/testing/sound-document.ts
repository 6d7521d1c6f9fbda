import { Check } from 'typebox/schema';
import type { OpenApiDocument } from '../openapi/openapi-document.js';

/** Returns the operation ids of an API document in order. */
export function operationIds(document: OpenApiDocument): unknown[] {
  return found(document.paths, 'operationId');
}

/**
 * Checks an API document.
 * @throws TypeError if it has a dangling reference to a schema or security scheme, an unused one, a duplicate operation
 * id, a request body without an example that its schema allows, or a schema that generated clients cannot use:
 * `patternProperties`, an object without members, or a response that forbids additional members
 */
export function requireSoundDocument(document: OpenApiDocument): void {
  const { schemas = {}, securitySchemes = {} } = document['components'] as Components;
  const references = found(document, '$ref').map(String);
  requireSame(references, pointers(schemas));
  const schemes = found(document.paths, 'security').flat() as object[];
  requireSame(schemes.flatMap(Object.keys), Object.keys(securitySchemes));
  const ids = operationIds(document);
  if (new Set(ids).size < ids.length) throw new TypeError('Two operations have one identifier.');
  for (const { content } of found(document.paths, 'requestBody') as RequestBody[])
    for (const [mediaType, { example, schema }] of Object.entries(content))
      if (example === undefined || !Check({ ...document, ...schema }, example))
        throw new TypeError(`A request body of ${mediaType} has no example that its schema allows.`);
  requireUsableSchemas(document);
}

function requireUsableSchemas(document: OpenApiDocument): void {
  if (found(document, 'patternProperties').length > 0)
    throw new TypeError('Generated clients have no type for patternProperties.');
  if (objectSchemas(document).some((schema) => !('properties' in schema || 'additionalProperties' in schema)))
    throw new TypeError('An object without members says nothing of those that it may have.');
  const responses = [...found(document.paths, 'responses')];
  const names = new Set<string>();
  for (let part = responses.pop(); part !== undefined; part = responses.pop()) {
    if (found(part, 'additionalProperties').includes(false))
      throw new TypeError('A response may gain no members.');
    for (const pointer of found(part, '$ref').map(String)) {
      if (!names.has(pointer)) responses.push(schemaAt(document, pointer));
      names.add(pointer);
    }
  }
}

function schemaAt(document: OpenApiDocument, pointer: string): unknown {
  const { schemas = {} } = document['components'] as Components;
  return Object.entries(schemas).find(([name]) => pointer === `#/components/schemas/${name}`)?.[1];
}

/** Returns all object schemas in a part of a document. */
function objectSchemas(part: unknown): object[] {
  if (typeof part !== 'object' || part === null) return [];
  const type = 'type' in part ? [part.type].flat() : [];
  return [...(type.includes('object') ? [part] : []), ...Object.values(part).flatMap(objectSchemas)];
}

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly example?: unknown; readonly schema: object }>>;
}

interface Components {
  readonly schemas?: object;
  readonly securitySchemes?: object;
}

function pointers(schemas: object): string[] {
  return Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
}

/** Returns all values of members with this name in a document. */
function found(part: unknown, member: string): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => (name === member ? [value] : found(value, member)));
}

function requireSame(used: readonly string[], present: readonly string[]): void {
  const missing = used.filter((name) => !present.includes(name));
  const unused = present.filter((name) => !used.includes(name));
  if (missing.length + unused.length > 0)
    throw new TypeError(`not there: ${missing.join(', ')}; not used: ${unused.join(', ')}`);
}
