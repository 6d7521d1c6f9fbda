import type { JsonObject } from '@vestibule/protocol';
import type { ClientMetadata } from './client-metadata.js';
import { applyDefaults } from './metadata-defaults.js';
import { METADATA_RULES } from './metadata-rules.js';
import { type MetadataSettings, STRICT_METADATA_SETTINGS } from './metadata-settings.js';
import { inSchemaOrder } from './order-metadata.js';
import { recogniseMembers } from './recognise-members.js';
import type { SupportedMetadata } from './supported-metadata.js';

/**
 * The metadata that a request asks to register: members that are understood, defaults filled in, in a fixed order.
 *
 * `null` means absent and unknown members are left out. Everything that can be judged without looking outside is
 * judged; the content of `sector_identifier_uri` (`checkSectorIdentifier`), the signature of a software statement and
 * the registrant's rights are not.
 *
 * @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata`; the description names the member and never
 * repeats a value.
 * @see RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section 2
 */
export function validateClientMetadata(
  input: JsonObject,
  supported: SupportedMetadata,
  settings: MetadataSettings = STRICT_METADATA_SETTINGS,
): ClientMetadata {
  const { members, localised } = complete(input, supported);
  for (const rule of METADATA_RULES) rule({ input, members, localised, supported, settings });
  return inSchemaOrder({ ...members, ...Object.fromEntries(localised) }) as ClientMetadata;
}

/**
 * The same members, of their types and with the defaults, that no rule has judged: what someone may still change who
 * decides before the rules do.
 * @throws DomainError `invalid_client_metadata` when a member is not of its type.
 */
export function completeClientMetadata(input: JsonObject, supported: SupportedMetadata): JsonObject {
  const { members, localised } = complete(input, supported);
  return inSchemaOrder({ ...members, ...Object.fromEntries(localised) });
}

function complete(input: JsonObject, supported: SupportedMetadata) {
  const { members: given, localised } = recogniseMembers(input);
  return { members: applyDefaults(given, supported), localised };
}
