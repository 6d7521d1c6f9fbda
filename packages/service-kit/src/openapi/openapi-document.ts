import type { TSchema } from 'typebox';
import type { FamilyOptions } from '../endpoint-family.js';
import type { Method } from '../resource.js';
import type { Route } from '../route.js';
import { componentCollector } from './components.js';
import { describeCrossOrigin } from './describe-cross-origin.js';
import { describeErrors } from './describe-errors.js';
import { describeParameters } from './describe-parameters.js';
import { describeContent, describeResponses, HEAD_TOO_LARGE, withFailures } from './describe-responses.js';
import type { OpenApiPart } from './open-api-part.js';

/** What an API document is made of. */
export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** The base address; without it the document says nothing about where the service is. */
  readonly server?: string;
  /** How callers prove who they are, by the names that the operations use. */
  readonly securitySchemes: Readonly<Record<string, OpenApiPart>>;
  /** What the operations of each family are for, by its name. */
  readonly tags: Readonly<Record<string, string>>;
  readonly families: readonly Pick<FamilyOptions, 'name' | 'body' | 'errors' | 'crossOrigin' | 'routes'>[];
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends OpenApiPart {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiPart>>>>;
}

const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

/**
 * The OpenAPI 3.1 document of endpoint families, made from the routes themselves: the schemas that requests are checked
 * with, the table of errors, and what the routes say about their answers. Routes that say nothing are left out. Schemas
 * with an `$id` become components of that name. Deterministic: the order is that of the routes.
 */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { title, description, version, server, securitySchemes, tags, families } = options;
  const components = componentCollector();
  const paths: Record<string, Record<string, OpenApiPart>> = {};
  for (const family of families) {
    family.routes((url, operations) => {
      for (const [method, route] of Object.entries(operations) as [Method, Route][]) {
        const operation = describeRoute(family, { url, route }, components.refer);
        if (operation !== undefined) {
          const path = url.replace(/:(\w+)/g, '{$1}');
          paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
        }
      }
    });
  }
  return {
    openapi: '3.1.1',
    info: { title, description, version, license: LICENSE },
    ...(server !== undefined && { servers: [{ url: server }] }),
    tags: families.map(({ name }) => ({ name, description: tags[name] })),
    paths,
    components: { schemas: components.schemas(), securitySchemes },
  };
}

type Refer = (schema: TSchema) => unknown;

interface PlacedRoute {
  readonly url: string;
  readonly route: Route;
}

function describeRoute(
  family: OpenApiOptions['families'][number],
  { url, route }: PlacedRoute,
  refer: Refer,
): OpenApiPart | undefined {
  const { description: operation, schema } = route;
  if (operation === undefined) return undefined;
  const body = operation.body ?? schema.body;
  const errors = describeErrors(family.errors, operation.errors);
  const answerHeaders = {
    ...(family.crossOrigin && describeCrossOrigin(family.crossOrigin)),
    ...operation.answerHeaders,
  };
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [family.name],
    security: operation.security.map((name) => (name === 'none' ? {} : { [name]: [] })),
    parameters: describeParameters(url, route, operation),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: describeContent(
          { ...contentOf(route.body ?? family.body, body), ...operation.bodyByMediaType },
          refer,
          operation.bodyExamples,
        ),
      },
    }),
    responses: {
      ...describeResponses(withFailures(operation.responses, errors), answerHeaders, refer),
      431: HEAD_TOO_LARGE,
    },
  };
}

function contentOf(
  { mediaTypes }: FamilyOptions['body'],
  schema: TSchema,
): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, schema]));
}
