import type { ClientMetadata } from '@vestibule/metadata';
import { DomainError, isSameJson, type JsonObject, nowSeconds } from '@vestibule/protocol';
import { ALL_RIGHTS, type RegistrationRights } from '@vestibule/scopes';
import {
  authorizeManagement,
  isClientExpired,
  type ManagedClient,
  type ManagementRequest,
  managementActor,
  refusalOfPreviousToken,
  requireChangeable,
} from './authorize-management.js';
import { checkRights } from './check-rights.js';
import type { Client } from './client.js';
import { type RevealedCredentials, revealCredentials } from './client-information.js';
import type { ClientReplacement } from './client-repository.js';
import { type ClientResponse, clientResponse } from './client-response.js';
import { rightsAfterOperatorUpdate, rightsOfClient } from './client-rights.js';
import { confirmSector, effectiveMetadata } from './confirm-metadata.js';
import { type EffectiveRegistration, effectiveRegistration } from './effective-registration.js';
import { checkIssuedMembers } from './issued-members.js';
import { nextRegistrationToken, nextSecret } from './next-credentials.js';
import { omitExcess } from './omit-excess.js';
import { needsApprovalAgain } from './open-registration.js';
import { patchedRegistration } from './patched-registration.js';
import { managingPolicySubject } from './policy/registration-policy.js';
import { readClient } from './read-client.js';
import type { RegistrationDeps } from './registration-deps.js';
import { parseRegistrationRequest, type RegistrationRequest } from './registration-request.js';
import { type ClientConditions, requireMatch } from './require-match.js';
import { staysInSector } from './settled-sector.js';

/** A request to replace the registration of a client. */
export interface UpdateClientInput extends ManagementRequest, ClientConditions {
  /** The JSON body as it came. */
  readonly body: unknown;
  /** Whether the body is a JSON Merge Patch of the registration as it is (RFC 7396), rather than a new one. */
  readonly isPatch?: boolean | undefined;
  /** What `authorizeManagement` decided for this request before its body was read; decided now when absent. */
  readonly managed?: ManagedClient | undefined;
}

/**
 * Replaces the registration of a client (registration/API.md#update, RFC 7592 section 2.2): members that are left out
 * fall back to their defaults. A patch makes the new registration out of what is registered when it is carried out, so
 * that nothing is lost that someone else changes meanwhile (RFC 5789 section 2). The same rules as at registration
 * hold, under the rights that the client was registered with. An update with the master token may exceed them, and
 * changes them: what it puts into the registration the client can keep, and what it takes out the client cannot put
 * back. Rights that neither registration needs stay, and so do unlimited ones, which no single value can be taken from.
 * A client without the right to `data` keeps it as the operator has set it: a `PUT` may leave it out. Where open
 * registrations are made without what exceeds their rights, the updates of these clients are too. A client with
 * pairwise subjects stays in its sector unless the master token moves it.
 *
 * A new secret and a new registration access token are issued each time unless the settings say otherwise. The previous
 * token keeps working until the new one is first used, to read the client and to repeat the same update, whose response
 * may be lost: a repeated update changes nothing and shows the present credentials. An open registration that was never
 * used ends when it would have ended; one that was approved waits for approval again when its registrant changes it.
 *
 * @throws DomainError as `authorizeManagement` and `registerClient` decide, `invalid_request` when members that only
 *   the service issues differ from the present ones, `precondition_failed` when a condition does not hold,
 *   `too_many_requests` when the client makes us read its sector document too often, or there is no room to look
 *   outside.
 */
export async function updateClient(
  deps: RegistrationDeps,
  input: UpdateClientInput,
): Promise<ClientResponse> {
  let accepted = await acceptUpdate(deps, input);
  // A lost round means that someone else has changed the client: everything is judged again on what it is now.
  for (;;) {
    if (accepted.managed.isOutdated === true) return readClient(deps, input);
    const { replacement, known } = await prepareReplacement(deps, accepted);
    if (await deps.clients.replace(replacement)) {
      const revealed = await revealCredentials(deps.encryptor, replacement.client, known);
      return clientResponse(deps, replacement.client, revealed);
    }
    const judged = await judgeUpdate(deps, await managedClient(deps, input), input);
    await confirmOnce(deps, judged, accepted.metadata);
    accepted = judged;
  }
}

/**
 * Judges an update exactly as {@link updateClient} does, and does nothing: the client and its credentials stay as they
 * are, the use of its registration token does not count.
 * @throws DomainError as `updateClient` does.
 */
export async function dryRunUpdate(
  deps: RegistrationDeps,
  input: UpdateClientInput,
): Promise<EffectiveRegistration> {
  const { managed, request, metadata } = await acceptUpdate(deps, { ...input, isDryRun: true });
  return effectiveRegistration({ id: managed.client.id, metadata, data: request.data });
}

interface RequestedUpdate {
  readonly request: RegistrationRequest;
  readonly metadata: ClientMetadata;
}

/** An update, and the client as it was when it was judged. */
interface AcceptedUpdate extends RequestedUpdate {
  readonly managed: ManagedClient;
}

async function acceptUpdate(deps: RegistrationDeps, input: UpdateClientInput): Promise<AcceptedUpdate> {
  const managed = await managedClient(deps, input, input.managed);
  const accepted = await judgeUpdate(deps, managed, input);
  await confirmOnce(deps, accepted);
  return accepted;
}

/** Has the sector of an update confirmed, unless the same was confirmed in an earlier round. */
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

async function judgeUpdate(
  deps: RegistrationDeps,
  managed: ManagedClient,
  { body, isPatch = false }: UpdateClientInput,
): Promise<AcceptedUpdate> {
  const requested = parseRegistrationRequest(isPatch ? patchedRegistration(managed.client, body) : body);
  const request = isPatch ? requested : withKeptData(managed, requested);
  const metadata = await effectiveMetadata(
    deps,
    request.metadata,
    managingPolicySubject(managed, request.data),
  );
  const accepted = { managed, ...withoutExcess(deps, managed, { request, metadata }) };
  await checkUpdate(deps, accepted);
  return accepted;
}

/** An update by the registrant of an open registration leaves out what the registration would have left out. */
function withoutExcess(
  { settings }: RegistrationDeps,
  managed: ManagedClient,
  requested: RequestedUpdate,
): RequestedUpdate {
  const isByRegistrant = managed.registrationToken !== undefined;
  const isOpen = managed.client.origin === 'open_registration';
  if (!settings.openRegistrations.omitsExcess || !isOpen || !isByRegistrant) return requested;
  const { request, metadata } = omitExcess(rightsOf(managed), requested);
  return { request: withKeptData(managed, request), metadata };
}

/** A request that leaves `data` out without the right to change it leaves it as it is. */
function withKeptData(managed: ManagedClient, request: RegistrationRequest): RegistrationRequest {
  const { data } = managed.client;
  if (request.data !== undefined || data === undefined || rightsOf(managed).data) return request;
  return { ...request, data };
}

/** The rights that bind an update. */
function rightsOf({ client, registrationToken }: ManagedClient): RegistrationRights {
  return registrationToken === undefined ? ALL_RIGHTS : rightsOfClient(client);
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

// Whatever else may have changed since then is another version, which the replacement notices.
function mayStillManage(
  { clock }: RegistrationDeps,
  decided: ManagedClient | undefined,
): decided is ManagedClient {
  if (decided === undefined || decided.isOutdated === true) return false;
  return !isClientExpired(decided.client, nowSeconds(clock));
}

interface PreparedUpdate {
  readonly replacement: ClientReplacement;
  /** Credentials that are known in clear. */
  readonly known: RevealedCredentials;
}

async function checkUpdate(
  { clients, clock, digester, settings }: RegistrationDeps,
  { managed, request, metadata }: AcceptedUpdate,
): Promise<void> {
  const { client, isOutdated = false } = managed;
  if (isOutdated && !isTheSame(client, { request, metadata })) throw refusalOfPreviousToken();
  const replaced = isOutdated ? await clients.earlierSecrets(client.id, nowSeconds(clock)) : undefined;
  checkIssuedMembers(request.metadata, managed, {
    digester,
    issuer: settings.issuer,
    replacedSecrets: replaced?.map(({ digest }) => digest),
  });
  // Data that stays as it is needs no right; taking it away needs the same as setting it.
  const data = isSameJson(request.data, client.data) ? undefined : (request.data ?? {});
  checkRights(rightsOf(managed), { ...request, metadata, data }, { isAnonymous: false });
  if (managed.registrationToken !== undefined && !staysInSector(managed.client.metadata, metadata)) {
    throw new DomainError(
      'insufficient_scope',
      'The access token does not permit pairwise subjects of another sector.',
    );
  }
  if (request.preferredId !== undefined || request.preferredSecret !== undefined) {
    throw new DomainError('invalid_request', 'Identifier and secret can be preset for a new client alone.');
  }
}

function isTheSame({ metadata, data }: Client, requested: RequestedUpdate): boolean {
  return isSameJson(requested.metadata, metadata) && isSameJson(requested.request.data, data);
}

async function prepareReplacement(
  deps: RegistrationDeps,
  { managed, request, metadata }: AcceptedUpdate,
): Promise<PreparedUpdate> {
  const { client } = managed;
  const { secret: _secret, registrationToken: _token, data: _data, ...lasting } = client;
  const { metadata: _metadata, updatedAt: _at, secretHash: _hash, version, ...rest } = lasting;
  const token = await nextRegistrationToken(deps, managed);
  const secret = await nextSecret(deps, client, metadata);
  const data: JsonObject | undefined = request.data;
  // What is copied comes behind what is new: the other way round each object gets a hidden class of its own.
  const next: Client = {
    metadata,
    updatedAt: nowSeconds(deps.clock),
    version: version + 1,
    ...rest,
    ...(data && { data }),
    ...(managed.registrationToken === undefined && {
      rights: rightsAfterOperatorUpdate(client, { metadata, data }),
    }),
    ...(secret.stored && { secret: secret.stored }),
    ...(secret.hash && { secretHash: secret.hash }),
    ...(token.stored && { registrationToken: token.stored }),
    ...(managed.registrationToken !== undefined &&
      client.status === 'active' &&
      needsApprovalAgain(deps, client) &&
      !isTheSame(client, { request, metadata }) && { status: 'pending' as const }),
  };
  return {
    replacement: {
      client: next,
      ...(secret.earlier && { earlierSecret: secret.earlier }),
      actor: managementActor(managed),
    },
    known: { secret: secret.value, registrationToken: token.value },
  };
}
