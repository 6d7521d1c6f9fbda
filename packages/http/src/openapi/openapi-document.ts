import type { TSchema } from 'typebox';
import type { Method } from '../routes/resource.js';
import type { Route } from '../routes/route.js';
import type { RouteGroupOptions } from '../routes/route-group.js';
import { componentCollector } from './components.js';
import { describeErrors } from './describe-errors.js';
import { describeParameters } from './describe-parameters.js';
import {
  describeContent,
  describeCrossOrigin,
  describeResponses,
  HEAD_TOO_LARGE,
  withFailures,
} from './describe-responses.js';
import type { OpenApiPart } from './operation-description.js';

/** Options of {@link openApiDocument}. */
export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Base URL; without it, the document has no servers. */
  readonly server?: string;
  /** Security schemes by the names that the operations use. */
  readonly securitySchemes: Readonly<Record<string, OpenApiPart>>;
  /** Tag descriptions by route group name. */
  readonly tags: Readonly<Record<string, string>>;
  readonly routeGroups: readonly Pick<
    RouteGroupOptions,
    'name' | 'body' | 'errors' | 'crossOrigin' | 'routes'
  >[];
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends OpenApiPart {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiPart>>>>;
}

const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

/**
 * Generates the OpenAPI 3.1 document of route groups from the routes: their request schemas, the error table, and their
 * response descriptions. Routes without a description are left out. Schemas with an `$id` become components of that
 * name. The output is deterministic: it follows the order of the routes.
 */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { title, description, version, server, securitySchemes, tags, routeGroups } = options;
  const components = componentCollector();
  const paths: Record<string, Record<string, OpenApiPart>> = {};
  for (const routeGroup of routeGroups) {
    routeGroup.routes((url, operations, crossOrigin = routeGroup.crossOrigin) => {
      for (const [method, route] of Object.entries(operations) as [Method, Route][]) {
        const operation = describeRoute({ ...routeGroup, crossOrigin }, { url, route }, components.refer);
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
    tags: routeGroups.map(({ name }) => ({ name, description: tags[name] })),
    paths,
    components: { schemas: components.schemas(), securitySchemes },
  };
}

/** The route group of a route, with the cross-origin access of its resource. */
type DescribedGroup = Omit<OpenApiOptions['routeGroups'][number], 'crossOrigin'> & {
  readonly crossOrigin: RouteGroupOptions['crossOrigin'] | undefined;
};

type Refer = (schema: TSchema) => unknown;

interface PlacedRoute {
  readonly url: string;
  readonly route: Route;
}

function describeRoute(
  routeGroup: DescribedGroup,
  { url, route }: PlacedRoute,
  refer: Refer,
): OpenApiPart | undefined {
  const { description: operation, schema } = route;
  if (operation === undefined) return undefined;
  const body = operation.body ?? schema.body;
  const errors = describeErrors(routeGroup.errors, operation.errors);
  const responseHeaders = {
    ...(routeGroup.crossOrigin && describeCrossOrigin(routeGroup.crossOrigin)),
    ...operation.responseHeaders,
  };
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [routeGroup.name],
    security: operation.security.map((name) => (name === 'none' ? {} : { [name]: [] })),
    parameters: describeParameters(url, route, operation),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: describeContent(
          { ...contentOf(route.body ?? routeGroup.body, body), ...operation.bodyByMediaType },
          refer,
          operation.bodyExamples,
        ),
      },
    }),
    responses: {
      ...describeResponses(withFailures(operation.responses, errors), responseHeaders, refer),
      431: HEAD_TOO_LARGE,
    },
  };
}

function contentOf(
  { mediaTypes }: RouteGroupOptions['body'],
  schema: TSchema,
): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, schema]));
}
