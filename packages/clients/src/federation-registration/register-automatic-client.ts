import { type ClientMetadata, choicesOfMember } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { DomainError, nowSeconds, parseClientId } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { present } from '../registration/registration-request.js';
import { requireSector } from '../registration/sector-check.js';
import { findCurrentRegistration, notReplaceable, requireRegistrationType } from './entity-registration.js';
import { acceptFederatedMetadata, type FederatedRegistration } from './register-federated-client.js';

/** An automatic registration whose metadata were accepted. */
export type AcceptedAutomaticRegistration = Omit<FederatedRegistration, 'metadata'> & {
  readonly metadata: ClientMetadata;
};

/** Authentication methods without a secret. */
const KEY_METHODS: readonly unknown[] = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'];

/** Members for what the client signs or encrypts itself, whose choice it would have to know. */
const OWN_ALGORITHMS = [
  'token_endpoint_auth_signing_alg',
  'request_object_signing_alg',
  'request_object_encryption_alg',
  'request_object_encryption_enc',
];

/** Maximum number of attempts when other registrations of the entity intervene. */
const MAX_ATTEMPTS = 10;

/**
 * Validates the metadata of an automatic registration by the rules for federated clients. The client gets no secret, so
 * its metadata must need none; the default method is `private_key_jwt`. Of lists of supported values it may use any that
 * the server supports for what it signs and encrypts itself, since no response tells it of a choice. Changes nothing.
 * @throws DomainError as `acceptFederatedMetadata`
 * @see OpenID Federation 1.0 section 12.1
 */
export async function acceptAutomaticMetadata(
  deps: RegistrationDeps,
  { metadata: requested, grantedScopes }: Pick<FederatedRegistration, 'metadata' | 'grantedScopes'>,
): Promise<ClientMetadata> {
  requireRegistrationType(requested, 'automatic');
  const withMethod = { ...requested, token_endpoint_auth_method: keyMethod(requested) };
  const metadata = await acceptFederatedMetadata(deps, {
    metadata: withoutUndisclosedChoices(withMethod),
    grantedScopes,
  });
  if (!KEY_METHODS.includes(metadata.token_endpoint_auth_method) || needsClientSecret(metadata))
    throw new DomainError(
      'invalid_client_metadata',
      'Clients that register automatically must authenticate with keys, not with a secret.',
    );
  return metadata;
}

/** The stated method, or the first listed one without a secret if that needs one or none is stated. */
function keyMethod({
  token_endpoint_auth_method: stated,
  token_endpoint_auth_methods_supported: listed,
}: JsonObject): JsonValue {
  if (KEY_METHODS.includes(stated)) return stated ?? 'private_key_jwt';
  const choice = Array.isArray(listed) ? listed.find((method) => KEY_METHODS.includes(method)) : undefined;
  return choice ?? stated ?? 'private_key_jwt';
}

/** Without a member, any algorithm that client and server support may be used. */
function withoutUndisclosedChoices(metadata: JsonObject): JsonObject {
  const undisclosed = OWN_ALGORITHMS.flatMap((member) => {
    const list = choicesOfMember(member);
    return list === undefined || present(metadata, list) === undefined ? [] : [member, list];
  });
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !undisclosed.includes(name)));
}

/**
 * Registers an entity under its own identifier. Of parallel calls one creates the client, and all return it. An
 * explicit registration that anyone could have requested is deleted with everything issued under it.
 * @throws DomainError `unauthorized_client` when the entity has registered explicitly, or its identifier belongs to
 *   something else.
 */
export async function registerAutomaticClient(
  deps: RegistrationDeps,
  accepted: AcceptedAutomaticRegistration,
): Promise<Client> {
  const { entityId } = accepted.membership;
  const id = parseClientId(entityId);
  if (id === undefined) throw notReplaceable('the identifier of the entity cannot be that of a client');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const current = await findCurrentRegistration(deps, accepted.membership);
    if (current?.id === id) return current;
    if (current !== undefined) throw notReplaceable('the entity is registered explicitly');
    const client: Client = {
      ...stateOf(deps, accepted),
      id,
      issuedAt: nowSeconds(deps.clock),
      version: 1,
    };
    const outcome = await deps.clients.create(client, { actor: `entity:${entityId}` });
    if (outcome === 'created') return client;
  }
  throw notReplaceable('another client has the identifier of the entity');
}

/**
 * Renews an automatic registration from the entity's current trust chain. Does nothing if it has changed in the
 * meantime or is suspended.
 * @throws DomainError `invalid_client_metadata` when that would move a client with pairwise subjects to another sector.
 */
export async function renewAutomaticClient(
  deps: RegistrationDeps,
  { id, issuedAt, lastUsedAt, version, metadata, status }: Client,
  accepted: AcceptedAutomaticRegistration,
): Promise<void> {
  if (status === 'suspended') return;
  requireSector(metadata, accepted.metadata);
  const client: Client = {
    ...stateOf(deps, accepted),
    id,
    issuedAt,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    version: version + 1,
  };
  const { entityId } = accepted.membership;
  await deps.clients.replace({ client, actor: `entity:${entityId}`, action: 'client.registered' });
}

function stateOf(
  { clock }: RegistrationDeps,
  { metadata, grantedScopes, membership, expiresAt }: AcceptedAutomaticRegistration,
) {
  return {
    metadata,
    grantedScopes,
    origin: 'federation_automatic',
    status: 'active',
    federation: membership,
    expiresAt,
    updatedAt: nowSeconds(clock),
  } as const;
}
