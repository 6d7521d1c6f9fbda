import type { ClientMetadata } from '@vestibule/metadata';
import { DomainError, nowSeconds } from '@vestibule/protocol';
import { isSameJson, type JsonObject } from '@vestibule/protocol/json';
import { ALL_SCOPES, type GrantedScopes } from '@vestibule/scopes';
import { blockedClientRefusal } from '../blocks/blocked-client.js';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import { type RevealedCredentials, revealCredentials } from '../client-information.js';
import type { ClientOwner, ClientOwnership } from '../client-owner.js';
import type { ClientReplacement } from '../client-repository.js';
import { type ClientResponse, clientResponse } from '../client-response.js';
import type { ManagedClient } from '../managed-client.js';
import { managingPolicySubject } from '../policy/registration-policy.js';
import { checkGrantedScopes } from '../registration/check-granted-scopes.js';
import {
  grantedScopesAfterOperatorUpdate,
  grantedScopesOfClient,
} from '../registration/client-granted-scopes.js';
import { confirmSector, effectiveMetadata } from '../registration/confirm-metadata.js';
import { type EffectiveRegistration, effectiveRegistration } from '../registration/dry-run-registration.js';
import { endOfSecret, type NextSecret, nextSecret, type SecretEnd } from '../registration/next-secret.js';
import { omitExcess, omitUnknownGrantTypes } from '../registration/omit-excess.js';
import { needsApprovalAgain } from '../registration/open-registration.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { parseRegistrationRequest, type RegistrationRequest } from '../registration/registration-request.js';
import { staysInSector } from '../registration/sector-check.js';
import {
  authorizeManagement,
  type ManagementRequest,
  managementActor,
  refusalOfPreviousToken,
  requireChangeable,
} from './authorize-management.js';
import { checkIssuedMembers } from './issued-members.js';
import { patchedRegistration } from './merge-patch.js';
import { nextRegistrationToken } from './next-credentials.js';
import { readClient } from './read-client.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** A request to replace the registration of a client. */
export interface UpdateClientInput extends ManagementRequest, ClientConditions {
  /** The parsed JSON body, not validated yet. */
  readonly body: unknown;
  /** Whether the body is a JSON Merge Patch of the current registration (RFC 7396) instead of a new one. */
  readonly isPatch?: boolean | undefined;
  /** The result of `authorizeManagement` from before the body was read; determined now if absent. */
  readonly managed?: ManagedClient | undefined;
  /** The set of files that owns the client from now on. Default: its present owner. */
  readonly owner?: ClientOwner | undefined;
}

/**
 * Replaces the registration of a client (registration/API.md#update, RFC 7592 section 2.2). Members that are left out
 * fall back to their defaults. A patch applies to the current registration, so that concurrent changes are not lost
 * (RFC 5789 section 2).
 *
 * The rules are those of registration, under the granted scopes that the client was registered with. An update with the
 * master token may exceed these granted scopes and changes them: the client can keep what the update adds, and cannot
 * put back what it removes. Granted scopes that neither registration uses stay, and so do unlimited ones, from which no
 * single value can be taken. A client without the right to `data` keeps the operator's: a `PUT` may leave it out. If
 * open registrations omit what exceeds their granted scopes, updates of these clients do too. A client with pairwise
 * subjects stays in its sector unless the master token moves it.
 *
 * Every update issues a new secret and a new registration access token, unless the settings say otherwise. Until the
 * new token is first used, the previous one can read the client and repeat the same update, whose response may have
 * been lost: a repeated update changes nothing and returns the current credentials. An unused open registration keeps
 * its expiry; an approved one is pending again when its registrant changes it.
 *
 * @throws DomainError as `authorizeManagement` and `registerClient` decide, `invalid_request` when issued members
 *   differ from their current values, `precondition_failed` when a condition does not hold, `too_many_requests` when
 *   the client makes the service fetch its sector document too often, or there is no capacity for outbound requests.
 */
export async function updateClient(
  deps: RegistrationDeps,
  input: UpdateClientInput,
): Promise<ClientResponse> {
  let accepted = await acceptUpdate(deps, input);
  // A failed attempt means that the client has changed in the meantime: check again with its current state.
  for (;;) {
    if (accepted.managed.isOutdated === true) return readClient(deps, input);
    const { replacement, known } = await prepareReplacement(deps, accepted, input.owner);
    if (await deps.clients.replace(replacement)) {
      const revealed = await revealCredentials(deps.encryptor, replacement.client, known);
      return clientResponse(deps, replacement.client, revealed);
    }
    const evaluated = await evaluateUpdate(deps, await managedClient(deps, input), input);
    await confirmOnce(deps, evaluated, accepted.metadata);
    accepted = evaluated;
  }
}

/**
 * Checks an update exactly as {@link updateClient} does and changes nothing: client and credentials stay as they are,
 * and the use of the registration token does not count.
 * @throws DomainError as `updateClient` does.
 */
export async function dryRunUpdate(
  deps: RegistrationDeps,
  input: UpdateClientInput,
): Promise<EffectiveRegistration> {
  return effectiveUpdate(await acceptDryRun(deps, input));
}

/** What an update would do. */
export interface UpdatePreview {
  readonly registration: EffectiveRegistration;
  /** How the current secret of the client would end; absent if it stays, or if there is none. */
  readonly secretEnd?: SecretEnd | undefined;
}

/**
 * Checks an update like {@link dryRunUpdate}, and determines what would become of the secret of the client.
 * @throws DomainError as `updateClient` does.
 */
export async function previewUpdate(
  deps: RegistrationDeps,
  input: UpdateClientInput,
): Promise<UpdatePreview> {
  const accepted = await acceptDryRun(deps, input);
  const { managed, metadata } = accepted;
  return {
    registration: effectiveUpdate(accepted),
    secretEnd: await endOfSecret(deps, managed.client, metadata),
  };
}

async function acceptDryRun(deps: RegistrationDeps, input: UpdateClientInput): Promise<AcceptedUpdate> {
  const accepted = await acceptUpdate(deps, { ...input, isDryRun: true });
  const { managed, metadata } = accepted;
  if (await deps.clients.isBlocked({ ...managed.client, metadata })) throw blockedClientRefusal();
  return accepted;
}

function effectiveUpdate({ managed, request, metadata }: AcceptedUpdate): EffectiveRegistration {
  return effectiveRegistration({ id: managed.client.id, metadata, data: request.data });
}

interface RequestedUpdate {
  readonly request: RegistrationRequest;
  readonly metadata: ClientMetadata;
}

/** An accepted update, and the client that it was checked against. */
interface AcceptedUpdate extends RequestedUpdate {
  readonly managed: ManagedClient;
}

async function acceptUpdate(deps: RegistrationDeps, input: UpdateClientInput): Promise<AcceptedUpdate> {
  const managed = await managedClient(deps, input, input.managed);
  const accepted = await evaluateUpdate(deps, managed, input);
  await confirmOnce(deps, accepted);
  return accepted;
}

/** Confirms the sector of an update, unless the same one was confirmed in an earlier round. */
async function confirmOnce(
  deps: RegistrationDeps,
  { managed, metadata }: AcceptedUpdate,
  confirmed?: ClientMetadata,
): Promise<void> {
  const { sector_identifier_uri: uri, redirect_uris: redirects } = metadata;
  if (uri === undefined) return;
  if (uri === confirmed?.sector_identifier_uri && isSameJson(redirects, confirmed.redirect_uris)) return;
  await deps.limits?.admitSectorCheck(managed);
  await confirmSector(deps, metadata);
}

async function evaluateUpdate(
  deps: RegistrationDeps,
  managed: ManagedClient,
  { body, isPatch = false }: UpdateClientInput,
): Promise<AcceptedUpdate> {
  const requested = parseRegistrationRequest(isPatch ? patchedRegistration(managed.client, body) : body);
  const request = isPatch ? requested : withKeptData(managed, requested);
  const metadata = await effectiveMetadata(
    deps,
    mayOmit(deps, managed) ? omitUnknownGrantTypes(request.metadata, deps.supported) : request.metadata,
    managingPolicySubject(managed, request.data),
  );
  const accepted = { managed, ...withoutExcess(deps, managed, { request, metadata }) };
  await checkUpdate(deps, accepted);
  return accepted;
}

/** Whether an update omits what a registration without a token would have omitted. */
function mayOmit({ settings }: RegistrationDeps, { client, registrationToken }: ManagedClient): boolean {
  const isOpen = client.origin === 'open_registration';
  return settings.openRegistrations.omitsExcess && isOpen && registrationToken !== undefined;
}

/** Omits from an update of an open registration what the registration would have omitted. */
function withoutExcess(
  deps: RegistrationDeps,
  managed: ManagedClient,
  requested: RequestedUpdate,
): RequestedUpdate {
  if (!mayOmit(deps, managed)) return requested;
  const { request, metadata } = omitExcess(grantedScopesOf(managed), requested, deps.settings.issuer);
  return { request: withKeptData(managed, request), metadata };
}

/** Keeps `data` if the request leaves it out and has no right to change it. */
function withKeptData(managed: ManagedClient, request: RegistrationRequest): RegistrationRequest {
  const { data } = managed.client;
  if (request.data !== undefined || data === undefined || grantedScopesOf(managed).data) return request;
  return { ...request, data };
}

/** The granted scopes that limit an update. */
function grantedScopesOf({ client, registrationToken }: ManagedClient): GrantedScopes {
  return registrationToken === undefined ? ALL_SCOPES : grantedScopesOfClient(client);
}

async function managedClient(
  deps: RegistrationDeps,
  input: UpdateClientInput,
  decided?: ManagedClient,
): Promise<ManagedClient> {
  const managed = mayStillManage(deps, decided)
    ? decided
    : await authorizeManagement(deps, { ...input, purpose: 'update' });
  requireChangeable(managed);
  await requireMatch(deps, managed, input);
  return managed;
}

// Any other change since then is a new version, which the replacement detects.
function mayStillManage(
  { clock }: RegistrationDeps,
  decided: ManagedClient | undefined,
): decided is ManagedClient {
  if (decided === undefined || decided.isOutdated === true) return false;
  return !isClientExpired(decided.client, nowSeconds(clock));
}

interface PreparedUpdate {
  readonly replacement: ClientReplacement;
  /** Credentials known in plain text. */
  readonly known: RevealedCredentials;
}

async function checkUpdate(
  { clients, clock, digester, settings }: RegistrationDeps,
  { managed, request, metadata }: AcceptedUpdate,
): Promise<void> {
  const { client, isOutdated = false } = managed;
  if (isOutdated && !isTheSame(client, { request, metadata })) throw refusalOfPreviousToken();
  const replaced = isOutdated ? await clients.previousSecrets(client.id, nowSeconds(clock)) : undefined;
  checkIssuedMembers(request.metadata, managed, {
    digester,
    issuer: settings.issuer,
    replacedSecrets: replaced?.map(({ digest }) => digest),
  });
  // Unchanged data needs no right; removing data needs the same right as setting it.
  const data = isSameJson(request.data, client.data) ? undefined : (request.data ?? {});
  checkGrantedScopes(grantedScopesOf(managed), { ...request, metadata, data }, { isAnonymous: false });
  if (managed.registrationToken !== undefined && !staysInSector(managed.client.metadata, metadata)) {
    throw new DomainError(
      'insufficient_scope',
      'The access token does not permit pairwise subjects of another sector.',
    );
  }
  if (request.preferredId !== undefined || request.preferredSecret !== undefined) {
    throw new DomainError(
      'invalid_request',
      `${request.preferredId === undefined ? 'preferred_client_secret' : 'preferred_client_id'}: allowed only in a registration, not in an update`,
    );
  }
}

function isTheSame({ metadata, data }: Client, requested: RequestedUpdate): boolean {
  return isSameJson(requested.metadata, metadata) && isSameJson(requested.request.data, data);
}

async function prepareReplacement(
  deps: RegistrationDeps,
  { managed, request, metadata }: AcceptedUpdate,
  owner: ClientOwner | undefined,
): Promise<PreparedUpdate> {
  const { client } = managed;
  const { secret: _secret, registrationToken: _token, data: _data, ...lasting } = client;
  const { metadata: _metadata, updatedAt: _at, secretHash: _hash, version, ...rest } = lasting;
  const token = await nextRegistrationToken(deps, managed);
  const secret = await nextSecret(deps, client, metadata);
  const data: JsonObject | undefined = request.data;
  // Copied members come after new ones: in the other order each object would get a hidden class of its own.
  const next: Client = {
    metadata,
    updatedAt: nowSeconds(deps.clock),
    version: version + 1,
    ...rest,
    ...(data && { data }),
    ...(managed.registrationToken === undefined && {
      grantedScopes: grantedScopesAfterOperatorUpdate(client, { metadata, data }),
    }),
    ...(secret.stored && { secret: secret.stored }),
    ...(secret.hash && { secretHash: secret.hash }),
    ...(token.stored && { registrationToken: token.stored }),
    ...(owner !== undefined && { ownership: nextOwnership(client, owner, secret) }),
    ...(managed.registrationToken !== undefined &&
      client.status === 'active' &&
      needsApprovalAgain(deps, client) &&
      !isTheSame(client, { request, metadata }) && { status: 'pending' as const }),
  };
  return {
    replacement: {
      client: next,
      ...(secret.previous && { previousSecret: secret.previous }),
      actor: managementActor(managed),
      ...(owner !== undefined && client.ownership === undefined && { action: 'client.adopted' as const }),
    },
    known: { secret: secret.value, registrationToken: token.value },
  };
}

/** The ownership after an update for a set of files: a new secret still has to be handed over. */
function nextOwnership(
  { secret: before, ownership }: Client,
  owner: ClientOwner,
  { stored }: NextSecret,
): ClientOwnership {
  const isNew = stored !== undefined && stored !== before;
  return {
    owner,
    isSecretUndelivered: stored !== undefined && (isNew || ownership?.isSecretUndelivered === true),
  };
}
