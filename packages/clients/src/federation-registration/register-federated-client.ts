import { randomAlphanumeric } from '@vestibule/crypto';
import type { ClientMetadata } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { type ClientId, DomainError, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { GrantedScopes } from '@vestibule/scopes';
import type { AuditActor } from '../audit-actor.js';
import type { Client, FederationMembership } from '../client.js';
import { type ClientInformation, clientInformation } from '../client-information.js';
import { lackingGrant, permittedScope } from '../registration/check-granted-scopes.js';
import { confirmSector, effectiveMetadata } from '../registration/confirm-metadata.js';
import { type NextSecret, nextSecret } from '../registration/next-secret.js';
import { provisionSecret } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { requireSector } from '../registration/sector-check.js';
import { findCurrentRegistration, notReplaceable, requireRegistrationType } from './entity-registration.js';

/** A registration of an entity with a trust chain. */
export interface FederatedRegistration {
  /** Client metadata of the entity, as resolved by the chain. */
  readonly metadata: JsonObject;
  /** Granted scopes of federated clients. */
  readonly grantedScopes: GrantedScopes;
  readonly membership: FederationMembership;
  /** When the registration ends, no later than the chain. */
  readonly expiresAt: EpochSeconds;
}

/** A registration that responds to a registration request. */
export interface ExplicitRegistration extends FederatedRegistration {
  /** Whether the response may contain a secret. */
  readonly mayHaveSecret: boolean;
}

/**
 * Validates the metadata of a federated client by the rules for all clients. Changes nothing. Scope values beyond its
 * granted scopes are left out, unless the client would be useless without them.
 * @throws DomainError `invalid_redirect_uri`, `invalid_client_metadata` or a software statement code.
 */
export async function acceptFederatedMetadata(
  deps: RegistrationDeps,
  { metadata: requested, grantedScopes }: Pick<FederatedRegistration, 'metadata' | 'grantedScopes'>,
): Promise<ClientMetadata> {
  const effective = await effectiveMetadata(deps, requested, { authority: 'federation' });
  const metadata = withPermittedScope(effective, grantedScopes);
  const lacking = lackingGrant(grantedScopes, { metadata });
  if (lacking !== undefined)
    throw new DomainError('invalid_client_metadata', `Federated clients may not register ${lacking}.`);
  await confirmSector(deps, metadata);
  return metadata;
}

/**
 * Validates the metadata of an explicit registration by the rules for federated clients. Changes nothing.
 * @throws DomainError as {@link acceptFederatedMetadata}, and `invalid_client_metadata` for an entity that does not
 *   register explicitly, or for a client that needs a secret when the response must not contain one.
 */
export async function acceptExplicitMetadata(
  deps: RegistrationDeps,
  registration: Pick<ExplicitRegistration, 'metadata' | 'grantedScopes' | 'mayHaveSecret'>,
): Promise<ClientMetadata> {
  requireRegistrationType(registration.metadata, 'explicit');
  const metadata = await acceptFederatedMetadata(deps, registration);
  if (!registration.mayHaveSecret && needsClientSecret(metadata))
    throw new DomainError(
      'invalid_client_metadata',
      'token_endpoint_auth_method: a statement without aud registers only clients that need no secret; use private_key_jwt, or send aud',
    );
  return metadata;
}

/**
 * Registers an entity explicitly (federation/API.md#register, OpenID Federation 1.0 section 12.2). An entity has one
 * registration: a later one replaces it under the same identifier, so that issued tokens stay valid, with a new secret.
 * A registration that anyone could have requested is deleted, with everything issued under it, when the entity
 * addresses a request to this provider. No registration access token is issued; the secret lives at least as long as
 * the registration.
 * @returns client information with the plain-text secret, without a management address
 * @throws DomainError as {@link acceptExplicitMetadata}; `invalid_client_metadata` when it would move a client with
 *   pairwise subjects to another sector; `unauthorized_client` when the entity's statement is not newer than the
 *   registered one, or has no `aud` and the current registration was addressed to this provider.
 */
export async function registerFederatedClient(
  deps: RegistrationDeps,
  registration: ExplicitRegistration,
): Promise<ClientInformation> {
  const metadata = await acceptExplicitMetadata(deps, registration);
  const lasting = withLastingSecrets(deps, registration.expiresAt);
  // A failed attempt means that the entity was registered in the meantime: check again.
  for (;;) {
    const present = await replaceable(deps, registration.membership);
    if (present !== undefined) requireSector(present.metadata, metadata);
    const attempt = present
      ? await tryToReplace(lasting, present, { ...registration, metadata })
      : await tryToCreate(lasting, { ...registration, metadata });
    if (attempt !== undefined) return attempt;
  }
}

/** Grants that sign end-users in; a client with one of them is useful without scope values. */
const LOGIN_GRANTS = ['authorization_code', 'implicit'];

function withPermittedScope(metadata: ClientMetadata, grantedScopes: GrantedScopes): ClientMetadata {
  const { values, isWhole } = permittedScope(grantedScopes, metadata);
  if (isWhole) return metadata;
  const { scope: _requested, ...others } = metadata;
  if (values.length > 0) return { ...others, scope: values.join(' ') };
  if (LOGIN_GRANTS.some((grantType) => metadata.grant_types.includes(grantType))) return others;
  throw new DomainError(
    'invalid_client_metadata',
    'scope: federated clients may register none of these values, and without them the client could do nothing',
  );
}

/** A registration whose metadata were accepted. */
type Accepted = Omit<FederatedRegistration, 'metadata'> & { readonly metadata: ClientMetadata };

/** The existing registration to replace. */
async function replaceable(
  deps: RegistrationDeps,
  membership: FederationMembership,
): Promise<Client | undefined> {
  const client = await findCurrentRegistration(deps, membership);
  const registeredBy = client?.federation?.statementIssuedAt;
  if (registeredBy !== undefined && membership.statementIssuedAt <= registeredBy)
    throw notReplaceable(
      membership.statementIssuedAt === registeredBy
        ? 'the statement was sent a second time: iat is that of the statement that the entity is registered by'
        : 'the statement is older than the one that the entity is registered by',
    );
  return client;
}

async function tryToCreate(
  deps: RegistrationDeps,
  accepted: Accepted,
): Promise<ClientInformation | undefined> {
  const id = randomAlphanumeric(deps.settings.clientIdLength, deps.random) as ClientId;
  const holder = { id, origin: 'federation_explicit' } as const;
  const { metadata } = accepted;
  const secret = needsClientSecret(metadata) ? await provisionSecret(deps, holder, metadata) : undefined;
  const client: Client = {
    ...holder,
    ...stateOf(deps, accepted),
    ...(secret && { secret: secret.stored }),
    issuedAt: nowSeconds(deps.clock),
    version: 1,
  };
  const outcome = await deps.clients.create(client, { actor: actorOf(accepted) });
  return outcome === 'created' ? informationOf(deps, client, secret?.value) : undefined;
}

async function tryToReplace(
  deps: RegistrationDeps,
  present: Client,
  accepted: Accepted,
): Promise<ClientInformation | undefined> {
  const { id, issuedAt, lastUsedAt, version } = present;
  const secret: NextSecret = await nextSecret(deps, present, accepted.metadata);
  const client: Client = {
    id,
    issuedAt,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    origin: 'federation_explicit',
    ...stateOf(deps, accepted),
    ...(secret.stored && { secret: secret.stored }),
    version: version + 1,
  };
  const isReplaced = await deps.clients.replace({
    client,
    ...(secret.previous && { previousSecret: secret.previous }),
    actor: actorOf(accepted),
    action: 'client.registered',
  });
  return isReplaced ? informationOf(deps, client, secret.value) : undefined;
}

function stateOf({ clock }: RegistrationDeps, { metadata, grantedScopes, membership, expiresAt }: Accepted) {
  return {
    metadata,
    grantedScopes,
    status: 'active',
    federation: membership,
    expiresAt,
    updatedAt: nowSeconds(clock),
  } as const;
}

function actorOf({ membership: { entityId } }: Accepted): AuditActor {
  return `entity:${entityId}`;
}

/** Client information without management address and registration access token. */
function informationOf(
  { settings }: RegistrationDeps,
  client: Client,
  secret: string | undefined,
): ClientInformation {
  const { registration_client_uri: _uri, ...information } = clientInformation(client, settings.issuer, {
    secret,
  });
  return information;
}

/** A secret that expired before the registration would lock the client out. */
function withLastingSecrets(deps: RegistrationDeps, expiresAt: EpochSeconds): RegistrationDeps {
  const { clientSecretLifetimeSeconds: lifetime } = deps.settings;
  if (lifetime === 0) return deps;
  const clientSecretLifetimeSeconds = Math.max(lifetime, expiresAt - nowSeconds(deps.clock));
  return { ...deps, settings: { ...deps.settings, clientSecretLifetimeSeconds } };
}
