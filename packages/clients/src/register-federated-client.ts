import { randomAlphanumeric } from '@vestibule/crypto';
import { type ClientMetadata, needsClientSecret } from '@vestibule/metadata';
import {
  type ClientId,
  DomainError,
  type EpochSeconds,
  type JsonObject,
  nowSeconds,
} from '@vestibule/protocol';
import type { RegistrationRights } from '@vestibule/scopes';
import type { AuditActor } from './audit-actor.js';
import { lackingRight, permittedScope } from './check-rights.js';
import type { Client, FederationMembership } from './client.js';
import { type ClientInformation, clientInformation } from './client-information.js';
import { confirmSector, effectiveMetadata } from './confirm-metadata.js';
import { notReplaceable, presentRegistration, requireRegistrationType } from './entity-registration.js';
import { type NextSecret, nextSecret } from './next-credentials.js';
import { provisionSecret } from './provision-secret.js';
import type { RegistrationDeps } from './registration-deps.js';
import { requireSector } from './settled-sector.js';

/** The registration of an entity that a trust chain vouches for. */
export interface FederatedRegistration {
  /** What the chain made of the entity's client metadata. */
  readonly metadata: JsonObject;
  /** What federated clients may register. */
  readonly rights: RegistrationRights;
  readonly membership: FederationMembership;
  /** When the registration ends; never after the chain. */
  readonly expiresAt: EpochSeconds;
}

/** A registration that answers a registration request. */
export interface ExplicitRegistration extends FederatedRegistration {
  /** Whether the response may give a secret. */
  readonly mayHaveSecret: boolean;
}

/**
 * Judges what a federated client would be registered with, by the rules for every other client. Changes nothing.
 * Scope values that its rights do not cover are left out, unless the client would be of no use without them.
 * @throws DomainError `invalid_redirect_uri`, `invalid_client_metadata` or a software statement code.
 */
export async function acceptFederatedMetadata(
  deps: RegistrationDeps,
  { metadata: requested, rights }: Pick<FederatedRegistration, 'metadata' | 'rights'>,
): Promise<ClientMetadata> {
  const effective = await effectiveMetadata(deps, requested, { authority: 'federation' });
  const metadata = withPermittedScope(effective, rights);
  const lacking = lackingRight(rights, { metadata });
  if (lacking !== undefined)
    throw new DomainError('invalid_client_metadata', `Federated clients may not register ${lacking}.`);
  await confirmSector(deps, metadata);
  return metadata;
}

/**
 * Judges what an entity would be registered with explicitly, by the rules for every federated client. Changes
 * nothing.
 * @throws DomainError as {@link acceptFederatedMetadata}, and `invalid_client_metadata` for an entity that does not
 *   register explicitly, or for a client that needs a secret when its request must not give one.
 */
export async function acceptExplicitMetadata(
  deps: RegistrationDeps,
  registration: Pick<ExplicitRegistration, 'metadata' | 'rights' | 'mayHaveSecret'>,
): Promise<ClientMetadata> {
  requireRegistrationType(registration.metadata, 'explicit');
  const metadata = await acceptFederatedMetadata(deps, registration);
  if (!registration.mayHaveSecret && needsClientSecret(metadata))
    throw new DomainError(
      'invalid_client_metadata',
      'token_endpoint_auth_method: a statement without aud registers only clients that need no secret; use private_key_jwt, or send aud.',
    );
  return metadata;
}

/**
 * Registers the client of an entity explicitly (federation/API.md#register, OpenID Federation 1.0 section 12.2). An
 * entity has one registration: a later one takes its place under the same identifier, so that what was issued lives
 * on, with a new secret. A registration that anyone could have requested ends instead, with everything issued under
 * it, when the entity addresses a request to this provider. No registration access token is given; the secret lives
 * at least as long as the registration.
 * @returns client information without an address to manage it at, the clear secret included
 * @throws DomainError as {@link acceptExplicitMetadata}; `invalid_client_metadata` when it would move a client with
 *   pairwise subjects to another sector; `unauthorized_client` when the entity's statement is not newer than the one
 *   that it is registered by, or has no `aud` and the present registration was addressed to this provider.
 */
export async function registerFederatedClient(
  deps: RegistrationDeps,
  registration: ExplicitRegistration,
): Promise<ClientInformation> {
  const metadata = await acceptExplicitMetadata(deps, registration);
  const lasting = withLastingSecrets(deps, registration.expiresAt);
  // A lost round means that someone else has registered the entity: it is judged again on what is there now.
  for (;;) {
    const present = await replaceable(deps, registration.membership);
    if (present !== undefined) requireSector(present.metadata, metadata);
    const attempt = present
      ? await tryToReplace(lasting, present, { ...registration, metadata })
      : await tryToCreate(lasting, { ...registration, metadata });
    if (attempt !== undefined) return attempt;
  }
}

/** Grants by which a client logs end-users in, for which it needs no scope of its own. */
const LOGIN_GRANTS = ['authorization_code', 'implicit'];

function withPermittedScope(metadata: ClientMetadata, rights: RegistrationRights): ClientMetadata {
  const { values, isWhole } = permittedScope(rights, metadata);
  if (isWhole) return metadata;
  const { scope: _requested, ...others } = metadata;
  if (values.length > 0) return { ...others, scope: values.join(' ') };
  if (LOGIN_GRANTS.some((grantType) => metadata.grant_types.includes(grantType))) return others;
  throw new DomainError(
    'invalid_client_metadata',
    'scope: federated clients may register none of these values, and without them the client could do nothing.',
  );
}

/** A registration whose metadata were accepted. */
type Accepted = Omit<FederatedRegistration, 'metadata'> & { readonly metadata: ClientMetadata };

/** The registration to take the place of. */
async function replaceable(
  deps: RegistrationDeps,
  membership: FederationMembership,
): Promise<Client | undefined> {
  const client = await presentRegistration(deps, membership);
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
  const outcome = await deps.clients.create(client, undefined, { actor: actorOf(accepted) });
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
    ...(secret.earlier && { earlierSecret: secret.earlier }),
    actor: actorOf(accepted),
    action: 'client.registered',
  });
  return isReplaced ? informationOf(deps, client, secret.value) : undefined;
}

function stateOf({ clock }: RegistrationDeps, { metadata, rights, membership, expiresAt }: Accepted) {
  return {
    metadata,
    rights,
    status: 'active',
    federation: membership,
    expiresAt,
    updatedAt: nowSeconds(clock),
  } as const;
}

function actorOf({ membership: { entityId } }: Accepted): AuditActor {
  return `entity:${entityId}`;
}

/** What the client learns; there is nothing that it could manage its registration with. */
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

/** A secret that ended before its registration would cut the client off. */
function withLastingSecrets(deps: RegistrationDeps, expiresAt: EpochSeconds): RegistrationDeps {
  const { clientSecretLifetimeSeconds: lifetime } = deps.settings;
  if (lifetime === 0) return deps;
  const clientSecretLifetimeSeconds = Math.max(lifetime, expiresAt - nowSeconds(deps.clock));
  return { ...deps, settings: { ...deps.settings, clientSecretLifetimeSeconds } };
}
