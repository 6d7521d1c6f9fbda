import { DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { Client, RegistrationToken } from '../client.js';
import { revealCredentials } from '../client-information.js';
import { type ClientResponse, clientResponse } from '../client-response.js';
import type { ManagedClient } from '../managed-client.js';
import { provisionRegistrationToken } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import {
  authorizeManagement,
  type ManagementRequest,
  managedResponse,
  managementActor,
  requireChangeable,
} from './authorize-management.js';
import { replaceSecret } from './replace-secret.js';
import { type ClientConditions, requireMatch } from './require-match.js';

/** A request to replace one credential of a client. */
export interface RotateCredentialInput extends ManagementRequest, ClientConditions {}

/**
 * Replaces the secret of a client. The previous secret stops authenticating at once, or after the configured overlap;
 * an imported hash stops at once. Nothing else changes, and concurrent changes are kept. The metadata are not validated
 * again, so that a leaked secret can always be replaced.
 * @throws DomainError as `authorizeManagement` decides; `insufficient_scope` when a suspended client asks;
 *   `precondition_failed` when a condition does not hold; `invalid_request` when the client has no secret.
 */
export async function rotateClientSecret(
  deps: RegistrationDeps,
  request: RotateCredentialInput,
): Promise<ClientResponse> {
  // A failed replacement means that the client has changed, so check again.
  for (;;) {
    const managed = await changeableClient(deps, request);
    if (managed.client.secret === undefined && managed.client.secretHash === undefined)
      throw new DomainError('invalid_request', 'The client has no secret.');
    const replaced = await replaceSecret(deps, managed, {
      action: 'client.secret_rotated',
      mayAuthenticate: true,
    });
    if (replaced !== undefined)
      return managedResponse(deps, { ...managed, client: replaced.client }, replaced.secret);
  }
}

/**
 * Replaces the registration access token of a client. If the client itself asks, its current token can still read the
 * client until the new one is first used, for ten minutes at most, so that a lost response costs nothing. If the
 * operator asks, the current and the previous token end at once.
 * @throws DomainError as {@link rotateClientSecret}; `invalid_request` when the client has no registration access
 *   token.
 */
export async function rotateRegistrationToken(
  deps: RegistrationDeps,
  request: RotateCredentialInput,
): Promise<ClientResponse> {
  for (;;) {
    const managed = await changeableClient(deps, request);
    const { client } = managed;
    if (client.registrationToken === undefined)
      throw new DomainError('invalid_request', 'The client has no registration access token.');
    const { value, stored } = await provisionRegistrationToken(deps, client.id);
    const previous = previousToken(deps, managed, client.registrationToken);
    const next: Client = {
      ...client,
      registrationToken: { ...stored, ...(previous && { previous }) },
      updatedAt: nowSeconds(deps.clock),
      version: client.version + 1,
    };
    const actor = managementActor(managed);
    const change = { client: next, actor, action: 'client.registration_token_rotated' } as const;
    if (await deps.clients.replace(change))
      return clientResponse(
        deps,
        next,
        await revealCredentials(deps.encryptor, next, { registrationToken: value }),
      );
  }
}

async function changeableClient(
  deps: RegistrationDeps,
  request: RotateCredentialInput,
): Promise<ManagedClient> {
  const managed = await authorizeManagement(deps, request);
  requireChangeable(managed);
  await requireMatch(deps, managed, request);
  return managed;
}

function previousToken(
  { clock, settings }: RegistrationDeps,
  { registrationToken: presented }: ManagedClient,
  { digest }: RegistrationToken,
): RegistrationToken['previous'] {
  if (presented === undefined) return undefined;
  return { digest, expiresAt: epochSeconds(nowSeconds(clock) + settings.registrationTokenOverlapSeconds) };
}
