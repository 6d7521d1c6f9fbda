import type { ClientFileProblem, ClientMetadata } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { nowSeconds } from '@vestibule/protocol';
import { isSameJson } from '@vestibule/protocol/json';
import type { OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import type { ClientOwner } from '../client-owner.js';
import { keepingCredentials } from '../management/next-credentials.js';
import { dryRunUpdate } from '../management/update-client.js';
import { managingPolicySubject } from '../policy/registration-policy.js';
import { effectiveMetadata } from '../registration/confirm-metadata.js';
import { dryRunRegistration, effectiveRegistration } from '../registration/dry-run-registration.js';
import { usableSecret, usableSecretHash } from '../registration/next-secret.js';
import { operatorAuthority } from '../registration/registration-authority.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { parseRegistrationRequest } from '../registration/registration-request.js';
import { type MemberChange, memberChanges } from './client-change.js';
import { type DeclaredClient, refusalOf } from './declared-client.js';

/** On whose behalf files are applied. */
export interface FileAuthority {
  readonly owner: ClientOwner;
  readonly operator: OperatorActor;
  /** Whether clients that exist and belong to no files are adopted; otherwise they are a problem. */
  readonly adopts: boolean;
}

/** What applying a declared client would do. */
export type ClientPlan =
  | { readonly action: 'none' }
  | { readonly action: 'problem'; readonly problem: ClientFileProblem }
  | ClientChange;

/** A change of a client. */
export interface ClientChange {
  /** `deliver_secret`: nothing changes, but a generated secret has not been handed over yet. */
  readonly action: 'create' | 'update' | 'adopt' | 'deliver_secret';
  /** The client as it was found; absent if it is created. */
  readonly existing?: Client;
  /** The members of the registration that change; for a new client all of them. */
  readonly members: readonly MemberChange[];
  /** Whether there is a generated secret to hand over afterwards. */
  readonly deliversSecret: boolean;
}

/**
 * Decides what applying a declared client would do, and changes nothing. The rules are those of registrations and
 * updates with the master token. A client that is registered as declared, defaults included, needs no change, even if a
 * document that it refers to cannot be fetched any more.
 */
export async function evaluateClient(
  deps: RegistrationDeps,
  declared: DeclaredClient,
  authority: FileAuthority,
): Promise<ClientPlan> {
  const existing = await deps.clients.find(declared.id);
  try {
    if (existing === undefined) return await evaluateNew(deps, declared, authority);
    const refusal = ownershipRefusal(deps, existing, authority);
    if (refusal !== undefined)
      return { action: 'problem', problem: { member: 'client_id', problem: refusal } };
    return await evaluateExisting(deps, declared, { existing, authority });
  } catch (error) {
    return { action: 'problem', problem: refusalOf(error) };
  }
}

async function evaluateNew(
  deps: RegistrationDeps,
  { id, members }: DeclaredClient,
  { operator }: FileAuthority,
): Promise<ClientPlan> {
  const body = { ...members, preferred_client_id: id };
  const { metadata: requested, data } = parseRegistrationRequest(body);
  const metadata = await effectiveMetadata(deps, requested, { authority: 'operator', data });
  await dryRunRegistration(deps, { authority: operatorAuthority(operator), body });
  return {
    action: 'create',
    members: memberChanges({}, effectiveRegistration({ metadata, data })),
    deliversSecret: needsClientSecret(metadata),
  };
}

interface Found {
  readonly existing: Client;
  readonly authority: FileAuthority;
}

async function evaluateExisting(
  deps: RegistrationDeps,
  { id, members }: DeclaredClient,
  { existing, authority: { operator } }: Found,
): Promise<ClientPlan> {
  const body = { ...members, client_id: id };
  const { metadata: requested, data } = parseRegistrationRequest(body);
  const policySubject = managingPolicySubject({ client: existing, operator }, data);
  const metadata = await effectiveMetadata(deps, requested, policySubject);
  const isUndelivered = existing.ownership?.isSecretUndelivered === true && existing.secret !== undefined;
  if (isSameJson(metadata, existing.metadata) && isSameJson(data, existing.data)) {
    const unchanged = { existing, members: [] };
    if (existing.ownership === undefined) return { ...unchanged, action: 'adopt', deliversSecret: false };
    return isUndelivered
      ? { ...unchanged, action: 'deliver_secret', deliversSecret: true }
      : { action: 'none' };
  }
  await dryRunUpdate(keepingCredentials(deps), { id, operator, body });
  const before = effectiveRegistration({ metadata: existing.metadata, data: existing.data });
  return {
    action: 'update',
    existing,
    members: memberChanges(before, effectiveRegistration({ metadata, data })),
    deliversSecret:
      needsClientSecret(metadata) && (isUndelivered || (await getsSecret(deps, existing, metadata))),
  };
}

/** Whether an update that keeps usable credentials issues a new secret. */
async function getsSecret(
  deps: RegistrationDeps,
  client: Client,
  metadata: ClientMetadata,
): Promise<boolean> {
  const secret = await usableSecret(deps, client, metadata);
  return secret === undefined && usableSecretHash(deps, client, metadata) === undefined;
}

/** Why a set of files cannot own a client that exists; `undefined` if it can. */
export function ownershipRefusal(
  { clock }: Pick<RegistrationDeps, 'clock'>,
  client: Client,
  { owner, adopts }: Pick<FileAuthority, 'owner' | 'adopts'>,
): string | undefined {
  const { ownership, origin, federation, expiresAt } = client;
  if (ownership !== undefined)
    return ownership.owner === owner ? undefined : 'belongs to a client that the files of another owner have';
  if (isClientExpired(client, nowSeconds(clock)))
    return 'belongs to an expired client, which is not deleted yet';
  if (federation !== undefined || origin === 'metadata_document')
    return 'belongs to a client whose metadata come from elsewhere';
  if (expiresAt !== undefined) return 'belongs to an open registration that ends unless it is used';
  return adopts ? undefined : 'belongs to a client that no files own: use --adopt to take it over';
}
