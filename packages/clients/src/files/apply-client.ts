import { DomainError, nowSeconds } from '@vestibule/protocol';
import type { OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import { revealCredentials } from '../client-information.js';
import type { ClientOwner } from '../client-owner.js';
import type { ClientResponse } from '../client-response.js';
import { updateUnchanged } from '../management/change-client.js';
import { keepingCredentials } from '../management/next-credentials.js';
import { registerClient } from '../registration/register-client.js';
import { operatorAuthority } from '../registration/registration-authority.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import type { DeclaredClient } from './declared-client.js';
import { type ClientChange, evaluateClient, type FileAuthority } from './evaluate-client.js';
import type { ClientVersion } from './owned-clients.js';

/** A client after its declaration was applied. */
export interface AppliedClient {
  /** What was done; `none` if another process was faster. */
  readonly action: ClientChange['action'] | 'none';
  /**
   * The generated secret to hand over, in plain text. The store keeps that it is undelivered until
   * `OwnedClients.markDelivered`, so that an interrupted delivery is made up for.
   */
  readonly delivery?: SecretDelivery;
}

/** A generated secret to hand over. */
export interface SecretDelivery extends ClientVersion {
  /** In plain text. */
  readonly secret: string;
}

/**
 * Carries out a change of a declared client as one atomic change with its audit event. If the client has changed since
 * the change was decided, it is decided again.
 * @throws DomainError when the declaration is not acceptable any more, an operator has blocked the client, or one of its
 *   resource identifiers names another client
 */
export async function applyClient(
  deps: RegistrationDeps,
  declared: DeclaredClient,
  { change, authority }: { readonly change: ClientChange; readonly authority: FileAuthority },
): Promise<AppliedClient> {
  let next = change;
  for (;;) {
    const applied = await carryOut(deps, declared, { change: next, authority });
    if (applied !== undefined) return applied;
    const plan = await evaluateClient(deps, declared, authority);
    if (plan.action === 'none') return { action: 'none' };
    if (plan.action === 'problem') {
      const { member, problem } = plan.problem;
      throw new DomainError('invalid_client_metadata', member === '' ? problem : `${member}: ${problem}`);
    }
    next = plan;
  }
}

interface DecidedChange {
  readonly change: ClientChange;
  readonly authority: FileAuthority;
}

/** Carries out a change. Returns `undefined` and changes nothing if the client has changed since. */
async function carryOut(
  deps: RegistrationDeps,
  { id, members }: DeclaredClient,
  { change, authority }: DecidedChange,
): Promise<AppliedClient | undefined> {
  const { action, existing, deliversSecret } = change;
  const { owner, operator } = authority;
  if (existing === undefined) {
    const body = { ...members, preferred_client_id: id };
    const input = { authority: operatorAuthority(operator), body, owner };
    const created = await unlessOvertaken(deps, id, registerClient(deps, input));
    return created && applied(action, { id, deliversSecret }, created);
  }
  if (action === 'deliver_secret') return undelivered(deps, existing);
  if (action === 'adopt') {
    const isAdopted = await adoptClient(deps, existing, { owner, operator });
    return isAdopted ? { action } : undefined;
  }
  const managed = { client: existing, operator };
  const updated = await unlessDeleted(updateUnchanged(keepingCredentials(deps), managed, members, owner));
  return updated && applied(action, { id, deliversSecret }, updated);
}

function applied(
  action: ClientChange['action'],
  { id, deliversSecret }: Pick<DeclaredClient, 'id'> & Pick<ClientChange, 'deliversSecret'>,
  { information, version }: ClientResponse,
): AppliedClient {
  const { client_secret: secret } = information;
  return {
    action,
    ...(deliversSecret && typeof secret === 'string' && { delivery: { id, version, secret } }),
  };
}

/** Decrypts a secret that has not been handed over yet. */
async function undelivered({ encryptor }: RegistrationDeps, client: Client): Promise<AppliedClient> {
  const { id, version } = client;
  const { secret } = await revealCredentials(encryptor, client);
  return { action: 'deliver_secret', ...(secret !== undefined && { delivery: { id, version, secret } }) };
}

/** Waits for a registration; `undefined` if a client has the identifier by now. */
async function unlessOvertaken(
  { clients }: RegistrationDeps,
  id: Client['id'],
  registering: Promise<ClientResponse>,
): Promise<ClientResponse | undefined> {
  try {
    return await registering;
  } catch (error) {
    if (error instanceof DomainError && (await clients.find(id)) !== undefined) return undefined;
    throw error;
  }
}

/** Waits for an update; `undefined` if the client has been deleted. */
async function unlessDeleted(
  updating: Promise<ClientResponse | undefined>,
): Promise<ClientResponse | undefined> {
  try {
    return await updating;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Lets a set of files own a client that exists. Nothing else changes. Returns false and changes nothing if the client has
 * changed since it was read.
 */
export function adoptClient(
  { clients, clock }: Pick<RegistrationDeps, 'clients' | 'clock'>,
  client: Client,
  { owner, operator }: { readonly owner: ClientOwner; readonly operator: OperatorActor },
): Promise<boolean> {
  return clients.replace({
    client: {
      ...client,
      ownership: { owner, isSecretUndelivered: false },
      updatedAt: nowSeconds(clock),
      version: client.version + 1,
    },
    actor: operator,
    action: 'client.adopted',
  });
}
