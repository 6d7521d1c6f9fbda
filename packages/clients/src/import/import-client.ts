import { type JsonObject, parseClientId } from '@vestibule/protocol';
import type { OperatorActor } from '../audit-actor.js';
import type { Client } from '../client.js';
import type { ClientAnswer } from '../client-answer.js';
import { registerClient } from '../register-client.js';
import { operatorAuthority } from '../registration-authority.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { rehearseRegistration } from '../rehearse-registration.js';
import { rehearseUpdate, updateClient } from '../update-client.js';
import type { PreparedImport } from './prepare-import.js';

/** A client that is to be imported. */
export interface ImportInput {
  readonly prepared: PreparedImport;
  /** Who imports. */
  readonly operator: OperatorActor;
  /** Whether a client that has the identifier already takes the metadata of the export; it stays as it is otherwise. */
  readonly replacesExisting: boolean;
}

/** What became of an imported client. */
export type ImportOutcome =
  | { readonly outcome: 'created' | 'updated'; readonly answer: ClientAnswer }
  | { readonly outcome: 'exists' };

/**
 * Registers a client of an export with its identifier and secret, under the rules of registrations by the master token.
 * Running an import again is harmless: a client that is here stays as it is, or takes the metadata of the export and keeps
 * secret and registration token.
 * @throws DomainError as `registerClient` and `updateClient` do.
 */
export async function importClient(deps: RegistrationDeps, input: ImportInput): Promise<ImportOutcome> {
  const { prepared, operator, replacesExisting } = input;
  const existing = await findExisting(deps, prepared.body);
  if (existing === undefined) {
    const answer = await registerClient(deps, {
      authority: operatorAuthority(operator),
      body: prepared.body,
    });
    return { outcome: 'created', answer };
  }
  if (!replacesExisting) return { outcome: 'exists' };
  const answer = await updateClient(keepingCredentials(deps), replacement(existing, input));
  return { outcome: 'updated', answer };
}

/**
 * Judges an import exactly as {@link importClient} does, and does nothing.
 * @throws DomainError as `importClient` does.
 */
export async function rehearseImport(
  deps: RegistrationDeps,
  input: ImportInput,
): Promise<ImportOutcome['outcome']> {
  const { prepared, operator, replacesExisting } = input;
  const existing = await findExisting(deps, prepared.body);
  if (existing !== undefined && !replacesExisting) return 'exists';
  if (existing !== undefined) {
    await rehearseUpdate(keepingCredentials(deps), replacement(existing, input));
    return 'updated';
  }
  await rehearseRegistration(deps, { authority: operatorAuthority(operator), body: prepared.body });
  return 'created';
}

async function findExisting(deps: RegistrationDeps, body: JsonObject): Promise<Client | undefined> {
  const id = parseClientId(body['preferred_client_id']);
  return id && deps.clients.find(id);
}

function replacement({ id }: Client, { prepared, operator }: ImportInput) {
  const { preferred_client_id: _id, preferred_client_secret: _secret, ...metadata } = prepared.body;
  return { id, operator, body: { ...metadata, client_id: id } };
}

function keepingCredentials(deps: RegistrationDeps): RegistrationDeps {
  const settings = { rotateSecretOnUpdate: false, rotateRegistrationTokenOnUpdate: false };
  return { ...deps, settings: { ...deps.settings, ...settings } };
}
