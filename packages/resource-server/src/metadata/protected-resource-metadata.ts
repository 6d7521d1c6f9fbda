import type { JsonObject } from '@vestibule/protocol/json';
import type { ResourceServerOptions } from '../options.js';
import type { ResourceSettings } from '../settings.js';

/** The protected resource metadata of an API (RFC 9728). */
export interface ProtectedResourceMetadata {
  /** Where clients fetch it. */
  readonly url: string;
  /** Path of `url`, for the router of the API. */
  readonly path: string;
  /** The document (RFC 9728 section 2). */
  readonly document: JsonObject;
  /** The document as JSON, to be sent as `application/json`. */
  readonly json: string;
}

/** Composes the metadata from the options. */
export function protectedResourceMetadata(
  { issuer, resource, dpop }: Pick<ResourceServerOptions, 'issuer' | 'resource' | 'dpop'>,
  { metadataUrl, dpopAlgorithms }: ResourceSettings,
): ProtectedResourceMetadata {
  const { scopes = [] } = resource;
  const document: JsonObject = {
    resource: resource.identifier,
    authorization_servers: [issuer],
    // An empty list is omitted (RFC 9728 section 3.2).
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...(resource.name !== undefined && { resource_name: resource.name }),
    ...(resource.documentation !== undefined && { resource_documentation: resource.documentation }),
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
    ...(dpop?.isRequired === true && { dpop_bound_access_tokens_required: true }),
  };
  const { pathname } = new URL(metadataUrl);
  return {
    url: metadataUrl,
    path: pathname,
    document: Object.freeze(document),
    json: JSON.stringify(document),
  };
}
