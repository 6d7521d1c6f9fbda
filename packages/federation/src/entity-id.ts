import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { readSecureUrl } from '@vestibule/metadata/uris';

declare const entityIdBrand: unique symbol;

/**
 * A well-formed entity identifier: an https URL with a host, an optional port and path, and no query, fragment or user
 * name, in its normal form and at most 2,048 characters (OpenID Federation 1.0 section 1.2). Identifiers are compared
 * character by character: with a trailing slash or a port it is another one.
 */
export type EntityId = string & { readonly [entityIdBrand]: true };

const MAX_LENGTH = 2048;

const WELL_KNOWN_PATH = '/.well-known/openid-federation';

/**
 * The entity identifier, or `undefined` if the value is not a valid one. Hosts in `allowHosts` (`host` or `host:port`)
 * may also use http, only for development and tests.
 */
export function parseEntityId(value: unknown, allowHosts: readonly string[] = []): EntityId | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || /[?#]/.test(value)) return undefined;
  const settings = { ...STRICT_METADATA_SETTINGS, egressAllowHosts: allowHosts };
  if (readSecureUrl(value, settings) === undefined) return undefined;
  const normal = new URL(value).href;
  return normal === value || normal === `${value}/` ? (value as EntityId) : undefined;
}

/**
 * The entity identifier that an operator names, or `undefined` if it is not a valid one. It may use http, as entities of a
 * local stack do.
 */
export function parseNamedEntityId(text: string): EntityId | undefined {
  const { host } = URL.canParse(text) ? new URL(text) : { host: '' };
  return parseEntityId(text, host === '' ? [] : [host]);
}

/** The URL at which an entity publishes its configuration (OpenID Federation 1.0 section 9). */
export function configurationAddress(entityId: EntityId): string {
  return `${entityId.replace(/\/$/, '')}${WELL_KNOWN_PATH}`;
}

/** The host of an entity identifier, without the port. */
export function hostOf(entityId: EntityId): string {
  return new URL(entityId).hostname;
}
