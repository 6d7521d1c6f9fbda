import { sha256 } from '@vestibule/crypto';
import { type ClientMetadata, orderMetadata } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { nowSeconds } from '@vestibule/protocol';
import { inOneOrder } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import { clientInformation } from '../client-information.js';
import { type ClientResponse, withEntityTag } from '../client-response.js';
import type { AcceptedRegistration } from './accept-registration.js';
import { renewedExpiry } from './open-registration.js';
import type { RegistrationDeps } from './registration-deps.js';

/**
 * Returns the digest under which identical registrations share a client; `undefined` for a registration that is not
 * shared. Shared are those without a token, of clients that do not authenticate: anyone else who has the client could do
 * nothing with a secret, because there is none. Loopback ports make no difference for native clients, which may use
 * another port with each login (RFC 8252 section 7.3).
 */
export function sharedDigest(
  { settings }: Pick<RegistrationDeps, 'settings'>,
  { authority, metadata }: AcceptedRegistration,
): Uint8Array | undefined {
  if (!settings.openRegistrations.sharesIdentical || authority.kind !== 'anonymous') return undefined;
  if (metadata.token_endpoint_auth_method !== 'none' || needsClientSecret(metadata)) return undefined;
  return sha256(JSON.stringify(inOneOrder(orderMetadata(withoutLoopbackPorts(metadata)))));
}

const LOOPBACK_PORT = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/i;

function withoutLoopbackPorts(metadata: ClientMetadata): ClientMetadata {
  const { application_type: type, redirect_uris: uris } = metadata;
  if (type !== 'native' || uris === undefined) return metadata;
  return { ...metadata, redirect_uris: uris.map((uri) => uri.replace(LOOPBACK_PORT, '$1')) };
}

/**
 * Finds the client that an identical registration made, and lets it end as late as a new one would. An expired client
 * is deleted first, with everything issued to it.
 */
export async function findSharedClient(
  deps: Pick<RegistrationDeps, 'clients' | 'clock' | 'settings'>,
  digest: Uint8Array,
): Promise<Client | undefined> {
  const { clients, clock } = deps;
  for (;;) {
    const client = await clients.findShared(digest);
    if (client === undefined) return undefined;
    const now = nowSeconds(clock);
    if (isClientExpired(client, now)) {
      await clients.delete(client.id, now, { action: 'client.expired', ifVersion: client.version });
      continue;
    }
    const { expiresAt } = renewedExpiry(deps, client);
    if (expiresAt === undefined || expiresAt === client.expiresAt) return client;
    if (await clients.extendUnused(client.id, { now, expiresAt })) return { ...client, expiresAt };
    // It was used or deleted in the meantime.
  }
}

/**
 * Builds the response of a registration that shares a client: with the metadata of this request, which may differ in
 * loopback ports, and without the address and token of RFC 7592, since the client belongs to every registrant.
 */
export function sharedResponse(
  { digester, settings }: Pick<RegistrationDeps, 'digester' | 'settings'>,
  client: Client,
  metadata: ClientMetadata,
): ClientResponse {
  const { registration_client_uri: _address, ...information } = clientInformation(
    { ...client, metadata },
    settings.issuer,
    {},
  );
  return withEntityTag(digester, { information, version: client.version });
}
