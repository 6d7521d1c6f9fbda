import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import { carriedMetadata } from './carried-metadata.js';
import { secretOfEntry, textMember } from './entry-members.js';
import type { ExportedClient, ExportedSecret } from './exported-client.js';

/** Members that are issued anew here or handled separately. */
const OWN_MEMBERS = [
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'client_secret_hash',
  'registration_access_token',
  'registration_client_uri',
];

/**
 * Reads a client as an adapter of node-oidc-provider stores it: metadata with the plain-text secret, bare or inside a
 * row of a document store or table (`payload`, `data`). Member names are those of the specifications;
 * `client_secret_hash` in place of `client_secret` is the hash of a server that stores hashes.
 */
export function readOidcProviderClient(stored: JsonObject): ExportedClient {
  const entry = clientOf(stored);
  const id = textMember(entry, 'client_id');
  if (id === undefined) return { kind: 'passed_over', reason: 'The entry has no client_id.' };
  const { metadata, warnings } = carriedMetadata(entry, OWN_MEMBERS);
  const expires = present(entry, 'client_secret_expires_at') ?? 0;
  return {
    kind: 'client',
    id,
    metadata,
    secret: secretOf(entry),
    warnings: [
      ...warnings,
      ...(expires === 0 ? [] : ['The expiry of the secret is not carried over: its lifetime starts now.']),
    ],
  };
}

function clientOf(stored: JsonObject): JsonObject {
  if (present(stored, 'client_id') !== undefined) return stored;
  const inner = present(stored, 'payload') ?? present(stored, 'data');
  return isJsonObject(inner) ? inner : stored;
}

function secretOf(entry: JsonObject): ExportedSecret {
  const told = secretOfEntry(entry);
  if (told !== undefined) return told;
  const method = present(entry, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  const isExpected = typeof method === 'string' && method.startsWith('client_secret_');
  return isExpected ? { kind: 'lost', reason: 'The export has no secret.' } : { kind: 'none' };
}
