import type { JsonObject } from '@vestibule/protocol/json';
import type { ClientMetadata } from './client-metadata.js';
import { withChoices } from './metadata-choices.js';
import { applyDefaults } from './metadata-defaults.js';
import { METADATA_RULES } from './metadata-rules.js';
import { type MetadataSettings, STRICT_METADATA_SETTINGS } from './metadata-settings.js';
import { inSchemaOrder } from './order-metadata.js';
import { recognizeMembers } from './recognize-members.js';
import type { SupportedMetadata } from './supported-metadata.js';

/**
 * Validates client metadata against the registration rules and returns what would be registered: known members with
 * defaults filled in, in a fixed order. Of a list of supported values, such as `token_endpoint_auth_methods_supported`,
 * one is registered in the member that it is for.
 *
 * `null` means absent, and unknown members are left out. Not checked here, because they need other sources: the
 * document at `sector_identifier_uri` (`checkSectorIdentifier`), the signature of a software statement, and the granted
 * scopes of the registrant.
 *
 * @throws DomainError `invalid_redirect_uri` or `invalid_client_metadata`; the description names the member and never
 *   quotes a value.
 * @see RFC 7591 section 2, OpenID Connect Dynamic Client Registration 1.0 section 2, OpenID Connect Relying Party
 *   Metadata Choices 1.0
 */
export function validateClientMetadata(
  input: JsonObject,
  supported: SupportedMetadata,
  settings: MetadataSettings = STRICT_METADATA_SETTINGS,
): ClientMetadata {
  const { members, localized } = complete(input, supported);
  for (const rule of METADATA_RULES) rule({ input, members, localized, supported, settings });
  return inSchemaOrder({ ...members, ...Object.fromEntries(localized) }) as ClientMetadata;
}

/**
 * Returns the known members with the right types and with defaults, not validated by any rule, for a policy that runs
 * before the rules.
 * @throws DomainError `invalid_client_metadata` when a member has the wrong type, or a list of supported values leaves
 *   no choice.
 */
export function completeClientMetadata(input: JsonObject, supported: SupportedMetadata): JsonObject {
  const { members, localized } = complete(input, supported);
  return inSchemaOrder({ ...members, ...Object.fromEntries(localized) });
}

function complete(input: JsonObject, supported: SupportedMetadata) {
  const { members: given, localized, choices } = recognizeMembers(input);
  // Most requests have no lists.
  const chosen = choices.size === 0 ? given : withChoices(given, choices, supported);
  return { members: applyDefaults(chosen, supported), localized };
}
