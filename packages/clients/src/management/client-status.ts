import { DomainError, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { ClientAction } from '../audit-actor.js';
import type { Client, ClientStatus } from '../client.js';
import { registrationEnd } from '../client-information.js';
import type { ManagedClient } from '../managed-client.js';
import { renewedExpiry } from '../registration/open-registration.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import {
  authorizeManagement,
  type ManagementRequest,
  managedResponse,
  managementActor,
} from './authorize-management.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** The status of a client and its expiry. */
export interface ClientStatusInformation {
  readonly status: ClientStatus;
  /** When the client ends unless it is used first; absent if it does not end. */
  readonly expires_at?: EpochSeconds;
  /** The entity tag of the client, as a read returns it. */
  readonly entityTag: string;
}

/** An operator's request to change the status of a client. */
export interface ChangeClientStatusInput extends ManagementRequest, ClientConditions {
  readonly status: 'active' | 'suspended';
  /** Change only this version; any if absent. */
  readonly ifVersion?: number | undefined;
}

/**
 * Reads the status of a client, with the master token or its own registration access token.
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClientStatus(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ClientStatusInformation> {
  return statusResponse(deps, await authorizeManagement(deps, { ...request, purpose: 'read' }));
}

/**
 * Sets the status of a client. From the commit on, a `suspended` client cannot authenticate, gets no tokens, and its
 * tokens are inactive. `active` approves a pending client and resumes a suspended one: its tokens that have neither
 * expired nor been revoked are active again. The time that an open registration has for its first use starts again. A
 * federated registration does not end while it is suspended, so the entity cannot register again; nor does the client of
 * a client ID metadata document. Setting the current
 * status changes nothing.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with any token but the master token;
 *   `precondition_failed` when a condition does not hold.
 */
export async function changeClientStatus(
  deps: RegistrationDeps,
  request: ChangeClientStatusInput,
): Promise<ClientStatusInformation> {
  const { status, ifVersion } = request;
  // A failed replacement means that the client has changed, so check again.
  for (;;) {
    const managed = await authorizeOperator(deps, request);
    const { client } = managed;
    await requireMatch(deps, managed, request);
    if (ifVersion !== undefined && ifVersion !== client.version)
      throw new DomainError('precondition_failed', 'The client has changed; read it again.');
    if (client.status === status) return statusResponse(deps, managed);
    const changed = withStatus(deps, client, status);
    const actor = managementActor(managed);
    if (await deps.clients.replace({ client: changed, actor, action: statusAction(client, status) }))
      return statusResponse(deps, { ...managed, client: changed });
  }
}

function withStatus(
  deps: RegistrationDeps,
  client: Client,
  status: ChangeClientStatusInput['status'],
): Client {
  const changed = { ...client, status, updatedAt: nowSeconds(deps.clock), version: client.version + 1 };
  if (status === 'active') {
    const { federation } = client;
    return {
      ...changed,
      ...(federation ? { expiresAt: federation.chainExpiresAt } : renewedExpiry(deps, client)),
    };
  }
  if (client.federation === undefined && client.origin !== 'metadata_document') return changed;
  const { expiresAt: _, ...lasting } = changed;
  return lasting;
}

function statusAction({ status: before }: Client, status: ChangeClientStatusInput['status']): ClientAction {
  if (status === 'suspended') return 'client.suspended';
  return before === 'suspended' ? 'client.resumed' : 'client.approved';
}

/**
 * Rejects a pending client: deletes it with everything issued to it. A client that was approved in the meantime stays.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with any token but the master token;
 *   `invalid_request` when the client is not pending; `precondition_failed` when a condition does not hold.
 */
export async function rejectClient(
  deps: RegistrationDeps,
  request: ManagementRequest & ClientConditions,
): Promise<void> {
  for (;;) {
    const managed = await authorizeOperator(deps, request);
    await requireMatch(deps, managed, request);
    const { id, status, version } = managed.client;
    if (status !== 'pending')
      throw new DomainError('invalid_request', 'The client is not waiting for approval.');
    const actor = managementActor(managed);
    const deletion = { actor, action: 'client.rejected', ifVersion: version } as const;
    if (await deps.clients.delete(id, nowSeconds(deps.clock), deletion)) return;
  }
}

/**
 * Finds the client of a request that only an operator may make.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with a registration access token.
 */
async function authorizeOperator(deps: RegistrationDeps, request: ManagementRequest): Promise<ManagedClient> {
  const managed = await authorizeManagement(deps, request);
  if (managed.registrationToken === undefined) return managed;
  throw new DomainError(
    'insufficient_scope',
    'The access token does not permit changing the status of clients.',
  );
}

async function statusResponse(
  deps: RegistrationDeps,
  managed: ManagedClient,
): Promise<ClientStatusInformation> {
  const { entityTag } = await managedResponse(deps, managed);
  return { status: managed.client.status, ...registrationEnd(managed.client), entityTag };
}
