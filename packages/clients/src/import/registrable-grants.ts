import type { SupportedMetadata } from '@vestibule/metadata';
import { isExtensionGrantType, type JsonValue } from '@vestibule/protocol';
import type { ReadableClient } from './exported-client.js';

/** Removes the extension grant types that cannot be registered, with a warning. */
export function withRegistrableGrants(
  client: ReadableClient,
  { grantTypes: known }: Pick<SupportedMetadata, 'grantTypes'>,
): ReadableClient {
  const { grant_types: given } = client.metadata;
  if (!Array.isArray(given)) return client;
  const isForeign = (value: JsonValue) => isExtensionGrantType(value) && !known.includes(value);
  const kept = given.filter((value) => !isForeign(value));
  if (kept.length === given.length) return client;
  const warning = 'Grant types that are not listed in REGISTRABLE_GRANT_TYPES are left out.';
  return {
    ...client,
    metadata: { ...client.metadata, grant_types: kept },
    warnings: [...client.warnings, warning],
  };
}
