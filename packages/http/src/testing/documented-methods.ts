import type { OpenApiDocument } from '../openapi/openapi-document.js';

/** The documented paths in order, each with its methods in the form of the `Allow` header. */
export function documentedMethods(
  document: OpenApiDocument,
): readonly (readonly [path: string, allow: string])[] {
  return Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.keys(operations).join(', ').toUpperCase(),
  ]);
}
