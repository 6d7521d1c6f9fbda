/** Any part of an OpenAPI document. */
export type OpenApiPart = { readonly [member: string]: unknown };
