import type { Client } from '@vestibule/clients';
import { secretAssociatedData } from '@vestibule/clients/associated-data';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { sectorIdentifier } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import type { JsonObject } from '@vestibule/protocol/json';

/** What the server performs. */
export interface ClientViewOptions {
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  /** The authentication context classes of the server, as in the library's `acrValues`. Default: none. */
  readonly acrValues?: readonly string[];
  /**
   * The scope values that the library knows. With them it limits a client to those that it registered. Default: it does
   * not.
   */
  readonly scopes?: readonly string[];
}

/**
 * The member with the scope that a client registered. The library's own `scope` accepts only values that the library
 * itself knows.
 */
export const REGISTERED_SCOPE = 'registered_scope';

/** The members that the library uses; others, for readers of the registration, are omitted. */
const MEMBERS = [
  'application_type',
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'redirect_uris',
  'default_max_age',
  'require_auth_time',
  'jwks',
  'jwks_uri',
  'subject_type',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'id_token_encrypted_response_alg',
  'id_token_encrypted_response_enc',
  'userinfo_signed_response_alg',
  'userinfo_encrypted_response_alg',
  'userinfo_encrypted_response_enc',
  'authorization_signed_response_alg',
  'authorization_encrypted_response_alg',
  'authorization_encrypted_response_enc',
  'request_object_signing_alg',
  'request_object_encryption_alg',
  'request_object_encryption_enc',
  'require_signed_request_object',
  'require_pushed_authorization_requests',
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const;

/**
 * A registered client as the library sees it: limited to what the server performs, and with its secret in clear only if
 * its metadata make the library need one. A different secret that is in use replaces the current one.
 */
export async function clientView(
  client: Client,
  encryptor: Encryptor,
  { grantTypes, responseTypes, acrValues = [], scopes }: ClientViewOptions,
  secretInUse?: string,
): Promise<JsonObject> {
  const { metadata } = client;
  const known = MEMBERS.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]);
  return {
    ...Object.fromEntries(known),
    client_id: client.id,
    grant_types: metadata.grant_types.filter((grantType) => grantTypes.includes(grantType)),
    response_types: metadata.response_types.filter((responseType) => responseTypes.includes(responseType)),
    ...scopeMembers(client, scopes),
    ...(await secretMembers(client, encryptor, secretInUse)),
    ...sectorMembers(client),
    ...acrMembers(client, acrValues),
    ...userinfoMembers(client),
    ...logoutMembers(client),
  };
}

/** The library does not limit a client with an empty `scope`: one that registered none of its values gets `openid`. */
function scopeMembers({ metadata: { scope } }: Client, scopes: readonly string[] | undefined): JsonObject {
  if (scope === undefined) return {};
  const known = scope.split(' ').filter((value) => scopes?.includes(value));
  return {
    [REGISTERED_SCOPE]: scope,
    ...(scopes && { scope: known.length === 0 ? 'openid' : known.join(' ') }),
  };
}

async function secretMembers(
  { id, metadata, secret }: Client,
  encryptor: Encryptor,
  secretInUse: string | undefined,
): Promise<JsonObject> {
  if (!needsClientSecret(metadata)) return {};
  if (secretInUse !== undefined) return { client_secret: secretInUse };
  if (secret === undefined) return {};
  return {
    client_secret: await encryptor.open(secret.encrypted, secretAssociatedData(id)),
    ...(secret.expiresAt !== undefined && { client_secret_expires_at: secret.expiresAt }),
  };
}

/** The library accepts only an https address, of which it uses only the host, which was verified at registration. */
function sectorMembers({ metadata }: Client): JsonObject {
  return metadata.sector_identifier_uri === undefined
    ? {}
    : { sector_identifier_uri: `https://${sectorIdentifier(metadata)}/` };
}

/** Preferences: the library would refuse a client with an unsupported one. */
function acrMembers({ metadata }: Client, acrValues: readonly string[]): JsonObject {
  const { default_acr_values: wanted } = metadata;
  return Array.isArray(wanted)
    ? { default_acr_values: acrValues.filter((value) => wanted.includes(value)) }
    : {};
}

/**
 * The library encrypts only what it signs: a client that registered only encryption gets both, signed as its ID tokens
 * are.
 */
function userinfoMembers({ metadata }: Client): JsonObject {
  return metadata.userinfo_encrypted_response_alg === undefined ||
    metadata.userinfo_signed_response_alg !== undefined
    ? {}
    : { userinfo_signed_response_alg: metadata.id_token_signed_response_alg };
}

/** Placeholder for an address that the library requires and never uses. */
const NEVER_USED = 'https://unused.invalid/';

/**
 * The library puts `sid` into the ID tokens of clients with a back channel that requires it. The front channel requires
 * it too, at an address that need not be http or https.
 */
function logoutMembers({ metadata }: Client): JsonObject {
  const isSidWanted =
    metadata.backchannel_logout_session_required === true ||
    metadata.frontchannel_logout_session_required === true;
  return isSidWanted ? { backchannel_logout_uri: NEVER_USED, backchannel_logout_session_required: true } : {};
}
