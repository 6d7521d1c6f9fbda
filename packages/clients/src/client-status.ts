import { DomainError, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import type { ClientAction } from './audit-actor.js';
import {
  authorizeManagement,
  type ManagedClient,
  type ManagementRequest,
  managementActor,
} from './authorize-management.js';
import type { Client, ClientStatus } from './client.js';
import { registrationEnd } from './client-information.js';
import { managedResponse } from './managed-response.js';
import { renewedExpiry } from './open-registration.js';
import type { RegistrationDeps } from './registration-deps.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** The status of a client, and when it ends. */
export interface ClientStanding {
  readonly status: ClientStatus;
  /** When it ends unless it is used before; absent for a client that does not end by itself. */
  readonly expires_at?: EpochSeconds;
  /** The tag of the client that has this status, as reading the client shows it. */
  readonly entityTag: string;
}

/** A request of the operator to change the status of a client. */
export interface ChangeClientStatusInput extends ManagementRequest, ClientConditions {
  readonly status: 'active' | 'suspended';
  /** The only version that is changed; any when absent. */
  readonly ifVersion?: number | undefined;
}

/**
 * Tells the status of a client; its own registration access token may ask.
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClientStatus(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ClientStanding> {
  return clientStanding(deps, await authorizeManagement(deps, { ...request, purpose: 'read' }));
}

/**
 * Sets the status of a client. `suspended` disables it everywhere with the commit: it cannot authenticate, gets no
 * tokens, and the tokens that it has are inactive. `active` approves a client that waits for approval and resumes a
 * suspended one: its tokens that have neither expired nor been revoked are active again. An open registration has its
 * whole time for a first use from then on. A federated registration does not end while it is suspended, so that the
 * entity cannot register itself anew. Setting the status that a client has changes nothing.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with any token but the master token;
 *   `precondition_failed` when a condition does not hold.
 */
export async function changeClientStatus(
  deps: RegistrationDeps,
  request: ChangeClientStatusInput,
): Promise<ClientStanding> {
  const { status, ifVersion } = request;
  // A failed replacement means that the client has changed, so that it is judged again.
  for (;;) {
    const managed = await clientToJudge(deps, request);
    const { client } = managed;
    await requireMatch(deps, managed, request);
    if (ifVersion !== undefined && ifVersion !== client.version)
      throw new DomainError('precondition_failed', 'The client has changed.');
    if (client.status === status) return clientStanding(deps, managed);
    const changed = withStatus(deps, client, status);
    const actor = managementActor(managed);
    if (await deps.clients.replace({ client: changed, actor, action: statusAction(client, status) }))
      return clientStanding(deps, { ...managed, client: changed });
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
  if (client.federation === undefined) return changed;
  const { expiresAt: _, ...lasting } = changed;
  return lasting;
}

function statusAction({ status: before }: Client, status: ChangeClientStatusInput['status']): ClientAction {
  if (status === 'suspended') return 'client.suspended';
  return before === 'suspended' ? 'client.resumed' : 'client.approved';
}

/**
 * Rejects a client that waits for approval: it is deleted with everything that hangs on it. One that was approved in
 * the meantime stays.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with any token but the master token;
 *   `invalid_request` when the client does not wait.
 */
export async function rejectClient(deps: RegistrationDeps, request: ManagementRequest): Promise<void> {
  for (;;) {
    const managed = await clientToJudge(deps, request);
    const { id, status, version } = managed.client;
    if (status !== 'pending')
      throw new DomainError('invalid_request', 'The client does not wait for approval.');
    const actor = managementActor(managed);
    const deletion = { actor, action: 'client.rejected', ifVersion: version } as const;
    if (await deps.clients.delete(id, nowSeconds(deps.clock), deletion)) return;
  }
}

async function clientToJudge(deps: RegistrationDeps, request: ManagementRequest): Promise<ManagedClient> {
  const managed = await authorizeManagement(deps, request);
  if (managed.registrationToken === undefined) return managed;
  throw new DomainError(
    'insufficient_scope',
    'The access token does not permit changing the status of clients.',
  );
}

async function clientStanding(deps: RegistrationDeps, managed: ManagedClient): Promise<ClientStanding> {
  const { entityTag } = await managedResponse(deps, managed);
  return { status: managed.client.status, ...registrationEnd(managed.client), entityTag };
}
