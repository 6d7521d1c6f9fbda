import type { Encryptor } from '@vestibule/crypto/data-keys';
import { orderMetadata } from '@vestibule/metadata';
import type { EpochSeconds, Issuer } from '@vestibule/protocol';
import { registrationEndpoint } from '@vestibule/protocol/constants';
import { inOneOrder, type JsonObject } from '@vestibule/protocol/json';
import { registrationTokenAssociatedData, secretAssociatedData } from './associated-data.js';
import type { Client } from './client.js';

/**
 * Client information as responses show it (registration/API.md#client-information). Contains credentials: never log or
 * cache it.
 */
export type ClientInformation = JsonObject & { readonly client_id: string };

/** The credentials of a client in plain text; absent if the client does not have them. */
export interface RevealedCredentials {
  readonly secret?: string | undefined;
  readonly registrationToken?: string | undefined;
}

/** Returns the address of a client's registration: the endpoint with the percent-encoded identifier appended. */
export function registrationClientUri(issuer: Issuer, id: string): string {
  return `${registrationEndpoint(issuer)}/${encodeURIComponent(id)}`;
}

/**
 * Builds client information: the issued members, then the registered metadata, then `data`. The order is fixed, because
 * stores need not keep the order of members. `client_secret` and `client_secret_expires_at` are left out for a client
 * without a secret.
 */
export function clientInformation(
  client: Client,
  issuer: Issuer,
  { secret, registrationToken }: RevealedCredentials,
): ClientInformation {
  return {
    client_id: client.id,
    client_id_issued_at: client.issuedAt,
    ...(secret !== undefined && {
      client_secret: secret,
      client_secret_expires_at: client.secret?.expiresAt ?? 0,
    }),
    registration_client_uri: registrationClientUri(issuer, client.id),
    ...(registrationToken !== undefined && { registration_access_token: registrationToken }),
    ...registrationEnd(client),
    ...orderMetadata(client.metadata),
    ...(client.data !== undefined && { data: inOneOrder(client.data) as JsonObject }),
  };
}

/** The expiry of an unused open registration, as response members; empty for a client that does not expire. */
export function registrationEnd({ origin, expiresAt }: Client): { readonly expires_at?: EpochSeconds } {
  return origin === 'open_registration' && expiresAt !== undefined ? { expires_at: expiresAt } : {};
}

/** Members that reads and lists with the master token show in addition. Times are seconds since the Unix epoch. */
export function operatorMembers({ status, origin, expiresAt, lastUsedAt }: Client): JsonObject {
  return {
    status,
    origin,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(lastUsedAt !== undefined && { last_used_at: lastUsedAt }),
  };
}

/** Decrypts the credentials of a stored client, except those that are `known` already. */
export async function revealCredentials(
  encryptor: Encryptor,
  { id, secret, registrationToken }: Client,
  known: RevealedCredentials = {},
): Promise<RevealedCredentials> {
  const [clearSecret, clearToken] = await Promise.all([
    known.secret ?? (secret && encryptor.open(secret.encrypted, secretAssociatedData(id))),
    known.registrationToken ??
      (registrationToken && encryptor.open(registrationToken.encrypted, registrationTokenAssociatedData(id))),
  ]);
  return { secret: clearSecret, registrationToken: clearToken };
}
