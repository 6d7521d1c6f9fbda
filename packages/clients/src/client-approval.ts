import { DomainError, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import {
  authorizeManagement,
  type ManagedClient,
  type ManagementRequest,
  managementActor,
} from './authorize-management.js';
import type { Client, ClientStatus } from './client.js';
import { registrationEnd } from './client-information.js';
import { managedAnswer } from './managed-answer.js';
import { renewedExpiry } from './open-registration.js';
import type { RegistrationDeps } from './registration-deps.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** Whether a client waits for approval, and when it ends. */
export interface ClientStanding {
  readonly status: ClientStatus;
  /** When it ends unless it is used before; absent for a client that does not end by itself. */
  readonly expires_at?: EpochSeconds;
  /** The tag of the client that has this status, as reading the client shows it. */
  readonly entityTag: string;
}

/** A request to approve a client. */
export interface ApproveClientInput extends ManagementRequest, ClientConditions {
  /** The only version that is approved; any when absent. */
  readonly ifVersion?: number | undefined;
}

/**
 * Tells whether a client waits for approval; its own registration access token may ask.
 * @throws DomainError `missing_token`, `invalid_token` or `not_found` as `authorizeManagement` decides.
 */
export async function readClientStatus(
  deps: RegistrationDeps,
  request: ManagementRequest,
): Promise<ClientStanding> {
  return clientStanding(deps, await authorizeManagement(deps, { ...request, purpose: 'read' }));
}

/**
 * Approves a client that waits for it; from then on it may do what it is registered for. An open registration has its
 * whole time for a first use from now on. Approving a client that is active changes nothing. With a condition nothing
 * is approved but what the caller has read.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` with any token but the master token;
 *   `precondition_failed` when a condition does not hold.
 */
export async function approveClient(
  deps: RegistrationDeps,
  request: ApproveClientInput,
): Promise<ClientStanding> {
  // A lost round means that somebody else has changed the client, so that there is something new to look at.
  for (;;) {
    const managed = await clientToJudge(deps, request);
    const { client } = managed;
    await requireMatch(deps, managed, request);
    if (request.ifVersion !== undefined && request.ifVersion !== client.version)
      throw new DomainError('precondition_failed', 'The client has changed.');
    if (client.status === 'active') return clientStanding(deps, managed);
    const approved: Client = {
      ...client,
      ...renewedExpiry(deps, client),
      status: 'active',
      updatedAt: nowSeconds(deps.clock),
      version: client.version + 1,
    };
    const actor = managementActor(managed);
    const change = { client: approved, actor, action: 'client.approved' } as const;
    if (await deps.clients.replace(change)) return clientStanding(deps, { ...managed, client: approved });
  }
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
  throw new DomainError('insufficient_scope', 'The access token does not permit approving clients.');
}

async function clientStanding(deps: RegistrationDeps, managed: ManagedClient): Promise<ClientStanding> {
  const { entityTag } = await managedAnswer(deps, managed);
  return { status: managed.client.status, ...registrationEnd(managed.client), entityTag };
}
