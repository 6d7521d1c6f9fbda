import { type JsonObject, parseClientId } from '@vestibule/protocol';
import type { OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import { keepingCredentials } from '../keeping-credentials.js';
import { registerClient } from '../register-client.js';
import { operatorAuthority } from '../registration-authority.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { rehearseRegistration } from '../rehearse-registration.js';
import { rehearseUpdate, type UpdateClientInput, updateClient } from '../update-client.js';
import type { ReadableClient } from './exported-client.js';
import { prepareImport } from './prepare-import.js';

/** A client that is to be imported. */
export interface ImportInput {
  readonly client: ReadableClient;
  /** Who imports. */
  readonly operator: OperatorActor;
  /** Whether a client that has the identifier already takes the metadata of the export; it stays as it is otherwise. */
  readonly replacesExisting: boolean;
  /** Whether a client whose secret cannot be kept gets a new one; it is not imported otherwise. */
  readonly issuesNewSecrets: boolean;
}

/** What became of an imported client. */
export type ImportOutcome =
  | { readonly outcome: 'exists' }
  | { readonly outcome: 'updated' }
  | {
      readonly outcome: 'created';
      readonly secret: 'kept' | 'new' | 'none';
      /** In clear, where it was issued just now. */
      readonly newSecret?: string;
      /** What the rules of registrations here have left out besides. */
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'secret_lost'; readonly reason: string };

/**
 * Registers a client of an export with its identifier and secret, under the rules of registrations by the master token.
 * Running an import again is harmless: a client that is here stays as it is, or takes the metadata of the export and keeps
 * secret and registration token.
 * @throws DomainError as `registerClient` and `updateClient` do.
 */
export async function importClient(deps: RegistrationDeps, input: ImportInput): Promise<ImportOutcome> {
  const judged = await judgeImport(deps, input);
  if ('update' in judged) {
    await updateClient(keepingCredentials(deps), judged.update);
    return { outcome: 'updated' };
  }
  if (!('body' in judged)) return judged;
  const { body, ...created } = judged;
  const registration = { authority: operatorAuthority(input.operator), body };
  const { client_secret: issued } = (await registerClient(deps, registration)).information;
  const isNew = created.secret === 'new' && typeof issued === 'string';
  return { ...created, ...(isNew && { newSecret: issued }) };
}

/**
 * Judges an import exactly as {@link importClient} does, and does nothing.
 * @throws DomainError as `importClient` does.
 */
export async function rehearseImport(deps: RegistrationDeps, input: ImportInput): Promise<ImportOutcome> {
  const judged = await judgeImport(deps, input);
  if ('update' in judged) {
    await rehearseUpdate(keepingCredentials(deps), judged.update);
    return { outcome: 'updated' };
  }
  if (!('body' in judged)) return judged;
  const { body, ...created } = judged;
  await rehearseRegistration(deps, { authority: operatorAuthority(input.operator), body });
  return created;
}

type Judged =
  | ImportOutcome
  | { readonly update: UpdateClientInput }
  | (Extract<ImportOutcome, { readonly outcome: 'created' }> & { readonly body: JsonObject });

async function judgeImport(deps: RegistrationDeps, input: ImportInput): Promise<Judged> {
  const { client, replacesExisting, issuesNewSecrets } = input;
  const existing = await findExisting(deps, client);
  if (existing !== undefined)
    return replacesExisting ? { update: replacement(existing, input) } : { outcome: 'exists' };
  const { body, secret, warnings } = await prepareImport(deps, client);
  if (typeof secret === 'string') return { outcome: 'created', secret, warnings, body };
  if (!issuesNewSecrets) return { outcome: 'secret_lost', reason: secret.lostBecause };
  return { outcome: 'created', secret: 'new', warnings, body };
}

async function findExisting(deps: RegistrationDeps, { id }: ReadableClient): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  return clientId && deps.clients.find(clientId);
}

function replacement({ id }: Client, { client, operator }: ImportInput): UpdateClientInput {
  return { id, operator, body: { ...client.metadata, client_id: id } };
}
