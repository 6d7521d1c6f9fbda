import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import { carriedMetadata } from './carried-metadata.js';
import { isIdle, secretOfEntry, textMember } from './entry-members.js';
import type { ExportedClient, ExportedSecret } from './exported-client.js';

/** Members that are issued anew here, handled separately, or meaningless on another server. */
const OWN_MEMBERS = [
  'client_id',
  'client_secret',
  'client_secret_expires_at',
  'client_secret_hash',
  'created_at',
  'updated_at',
  'metadata',
  'registration_access_token',
  'registration_client_uri',
];

// Hydra has no plain-text secret of this form. Hashes in unsupported formats are refused with their name.
const HASHED_SECRET = /^\$(?:2[abxy]|pbkdf2[a-z0-9-]*|argon2[a-z]*)\$/;

/**
 * Reads a client of Ory Hydra in the format of its admin API and `hydra list oauth2-clients --format json`. Member
 * names are those of the specifications, empty members count as absent, and the object `metadata` becomes `data`. Hydra
 * stores secrets as hashes and never returns them; a hash taken from its database is accepted.
 */
export function readHydraClient(entry: JsonObject): ExportedClient {
  const id = textMember(entry, 'client_id');
  if (id === undefined) return { kind: 'passed_over', reason: 'The entry has no client_id.' };
  const { metadata, warnings } = carriedMetadata(withoutEmptyMembers(entry), OWN_MEMBERS);
  const data = present(entry, 'metadata');
  return {
    kind: 'client',
    id,
    metadata: {
      ...metadata,
      ...(data !== undefined && !isIdle(data) && { data }),
    },
    secret: secretOf(entry),
    warnings,
  };
}

function withoutEmptyMembers(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) => !saysNothing(name, value)));
}

// An unsigned UserInfo response is plain JSON. In Hydra, too, empty lists fall back to the defaults.
function saysNothing(name: string, value: JsonValue): boolean {
  if (name === 'userinfo_signed_response_alg') return value === 'none' || isIdle(value);
  if (name === 'jwks') return isIdle(value) || (isJsonObject(value) && isIdle(present(value, 'keys')));
  return Array.isArray(value) && value.length === 0;
}

function secretOf(entry: JsonObject): ExportedSecret {
  const exported = secretOfEntry(entry);
  if (exported?.kind === 'given' && HASHED_SECRET.test(exported.value))
    return { kind: 'hashed', value: exported.value, member: 'client_secret' };
  if (exported !== undefined) return exported;
  const method = textMember(entry, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  if (!method.startsWith('client_secret_')) return { kind: 'none' };
  return {
    kind: 'lost',
    reason: 'The export has neither the secret (client_secret) nor its hash (client_secret_hash).',
  };
}
