import { JSON_CONTENT_TYPE } from '../errors/error-table.js';
import { type Route, route } from '../routes/route.js';
import { type AddResource, defineRouteGroup, type RouteGroupOptions } from '../routes/route-group.js';
import { API_PAGE_FILES, apiPage, apiPageFile } from './api-page.js';
import type { OpenApiDocument } from './openapi-document.js';

/** An API document and its URL path. */
export interface ServedApiDocument {
  /** Path that ends in `.json`. The page has the same path without the ending, and its files are below that. */
  readonly path: string;
  /** Generates the document. Called only once, for its first request, because it takes longer than all else at the start. */
  readonly document: () => OpenApiDocument;
  /** Whether to serve the page that shows the document. Default false. */
  readonly hasPage?: boolean | undefined;
}

/**
 * Defines a route group that also serves the API document of its operations. The document is public, because clients
 * cannot reach the management port.
 */
export function documentedRouteGroup(
  routeGroup: RouteGroupOptions,
  served: ServedApiDocument,
): ReturnType<typeof defineRouteGroup> {
  return defineRouteGroup({
    ...routeGroup,
    routes: (resource) => {
      routeGroup.routes(resource);
      addApiDocument(resource, served);
    },
  });
}

function addApiDocument(resource: AddResource, served: ServedApiDocument): void {
  const { path, document, hasPage = false } = served;
  let text: string | undefined;
  const generated = () => {
    text ??= JSON.stringify(document());
    return text;
  };
  resource(path, { GET: constant(generated, { 'content-type': JSON_CONTENT_TYPE }) });
  if (!hasPage) return;
  const page = path.replace(/\.json$/, '');
  const { html, headers } = apiPage(path);
  resource(page, { GET: constant(() => html, headers) });
  for (const name of API_PAGE_FILES) resource(`${page}/${name}`, { GET: file(name) });
}

function constant(text: () => string, headers: Readonly<Record<string, string>>): Route {
  return route({ handler: (_request, reply) => reply.headers(headers).send(text()) });
}

function file(name: (typeof API_PAGE_FILES)[number]): Route {
  return route({
    handler: async (_request, reply) => {
      const { content, headers } = await apiPageFile(name);
      reply.removeHeader('pragma');
      return reply.headers(headers).send(content);
    },
  });
}
