import { CHOICE_MEMBERS } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';

/** Client metadata whose values the provider metadata list, and the member that lists them. */
const LISTED: Readonly<Record<string, string>> = {
  grant_types: 'grant_types_supported',
  response_types: 'response_types_supported',
  token_endpoint_auth_method: 'token_endpoint_auth_methods_supported',
};

/**
 * Refuses client metadata that the provider does not offer: members of federations read in its metadata what they may
 * register (federation/API.md#entity-statement). A member that the provider does not publish limits nothing. Of a list
 * of supported values one must be offered, since one is registered (OpenID Connect Relying Party Metadata Choices 1.0).
 * @param readProvider Reads the metadata of the provider as published in its entity configuration.
 * @throws DomainError `invalid_client_metadata`; `server_error` if the metadata of the provider are unavailable.
 */
export async function requireOffered(
  requested: JsonObject,
  readProvider: () => Promise<JsonObject>,
): Promise<void> {
  const provider = await readProvider().catch((cause: unknown) => {
    throw new DomainError('server_error', 'The metadata of the provider could not be fetched.', { cause });
  });
  for (const [member, listedBy] of Object.entries(LISTED)) {
    const offered = textsOf(provider[listedBy]).map(normal);
    const listed = CHOICE_MEMBERS.has(listedBy) ? textsOf(requested[listedBy]) : [];
    if (listed.some((value) => offered.includes(normal(value)))) continue;
    const missing = [...listed, ...textsOf(requested[member])].find(
      (value) => !offered.includes(normal(value)),
    );
    if (Array.isArray(provider[listedBy]) && missing !== undefined)
      throw new DomainError(
        'invalid_client_metadata',
        `${member}: the provider does not offer every value (${listedBy}: ${textsOf(provider[listedBy]).join(', ')})`,
      );
  }
}

/** The strings of a member that is a string or a list; the metadata rules check everything else. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** The words of a response type have no order. */
function normal(value: string): string {
  return value.split(' ').toSorted().join(' ');
}
