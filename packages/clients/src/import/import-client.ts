import type { SupportedMetadata } from '@vestibule/metadata';
import { type ClientId, parseClientId } from '@vestibule/protocol';
import { isExtensionGrantType } from '@vestibule/protocol/constants';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { OperatorActor } from '../audit-actor.js';
import { blockedClientRefusal } from '../blocks/blocked-client.js';
import type { Client } from '../client.js';
import type { ClientRepository } from '../client-repository.js';
import type { ClientResponse } from '../client-response.js';
import { updateUnchanged } from '../management/change-client.js';
import { keepingCredentials } from '../management/next-credentials.js';
import type { ImportedSecret } from '../registration/accept-registration.js';
import { registerClient } from '../registration/register-client.js';
import { operatorAuthority } from '../registration/registration-authority.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import type { ReadableClient } from './exported-client.js';
import { prepareImport } from './prepare-import.js';
import { prepareUpdate } from './prepare-update.js';
import { isWeakSecret } from './secret-strength.js';

/** A client to import. */
export interface ImportInput {
  readonly client: ReadableClient;
  /** The importing operator. */
  readonly operator: OperatorActor;
  /** Whether an existing client with the identifier takes the metadata of the export; otherwise it stays as it is. */
  readonly replacesExisting: boolean;
  /** Whether a client whose secret cannot be kept gets a new one; otherwise it is not imported. */
  readonly issuesNewSecrets: boolean;
}

/** The result of importing one client. */
export type ImportOutcome =
  | { readonly outcome: 'exists' }
  | {
      readonly outcome: 'created' | 'updated';
      /**
       * What happened to the secret: `kept` is that of the export or the existing one, `hashed` likewise if only its
       * hash is known until its first use.
       */
      readonly secret: 'kept' | 'hashed' | 'new' | 'none';
      /** Whether the secret of the export has fewer than 128 bits. */
      readonly isWeak?: true;
      /** The new secret in plain text, if one was issued. */
      readonly newSecret?: string;
      /** What the registration rules left out, and what happened to the secret. */
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'secret_lost'; readonly reason: string };

/**
 * Registers a client of an export with its identifier and secret, under the rules for the master token. Imports can be
 * repeated: an existing client stays as it is, or takes the metadata of the export. It then keeps its registration
 * token, its secret if that is still usable, and its data if the export has none.
 * @throws DomainError as `registerClient` and `updateClient` do.
 */
export async function importClient(deps: RegistrationDeps, input: ImportInput): Promise<ImportOutcome> {
  // A failed attempt means that the client has changed in the meantime, so look again.
  for (;;) {
    const evaluated = await evaluateImport(deps, input);
    if ('decided' in evaluated) return evaluated.decided;
    const response = await carryOut(deps, evaluated, input);
    if (response === undefined) continue;
    const { client_secret: issued } = response.information;
    const isNew = evaluated.result.secret === 'new' && typeof issued === 'string';
    return { ...evaluated.result, ...(isNew && { newSecret: issued }) };
  }
}

/** Checks an import exactly as {@link importClient} does, without changing anything. */
export type ImportDryRun = (input: ImportInput) => Promise<ImportOutcome>;

/**
 * Starts a dry run of imports, each as if the earlier ones had been carried out. Their results are kept in memory.
 * @throws DomainError as `importClient` does, from the returned function.
 */
export function importDryRun(deps: RegistrationDeps): ImportDryRun {
  const clients = dryRunClients(deps.clients);
  return async (input) => {
    const result = await importClient({ ...deps, clients }, input);
    if (!('newSecret' in result)) return result;
    const { newSecret: _, ...withoutSecret } = result;
    return withoutSecret;
  };
}

/** A checked import that needs no change, or one to carry out. */
type Evaluated = { readonly decided: ImportOutcome } | EvaluatedChange;

interface EvaluatedChange {
  /** The client as the update must find it; absent if one is created. */
  readonly existing?: Client;
  readonly body: JsonObject;
  readonly importedSecret?: ImportedSecret | undefined;
  readonly result: Extract<ImportOutcome, { readonly secret: unknown }>;
}

async function evaluateImport(deps: RegistrationDeps, input: ImportInput): Promise<Evaluated> {
  const { replacesExisting, issuesNewSecrets } = input;
  const client = withRegistrableGrants(input.client, deps.supported);
  const existing = await findExisting(deps, client);
  if (existing !== undefined && !replacesExisting) return { decided: { outcome: 'exists' } };
  const { secret, warnings, ...change } =
    existing === undefined ? await prepareImport(deps, client) : await prepareUpdate(deps, existing, client);
  const outcome = existing === undefined ? 'created' : 'updated';
  if (typeof secret === 'string') {
    const isWeak = secret === 'kept' && client.secret.kind === 'given' && isWeakSecret(client.secret.value);
    return { ...change, result: { outcome, secret, ...(isWeak && { isWeak }), warnings } };
  }
  if (!issuesNewSecrets) return { decided: { outcome: 'secret_lost', reason: secret.lostBecause } };
  return { ...change, result: { outcome, secret: 'new', warnings } };
}

async function findExisting(deps: RegistrationDeps, { id }: ReadableClient): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  return clientId && deps.clients.find(clientId);
}

/** Carries out an import. Returns `undefined` and changes nothing if the client has changed since the check. */
function carryOut(
  deps: RegistrationDeps,
  { existing, body, importedSecret }: EvaluatedChange,
  { operator }: ImportInput,
): Promise<ClientResponse | undefined> {
  if (existing === undefined)
    return registerClient(deps, { authority: operatorAuthority(operator), body, importedSecret });
  return updateUnchanged(keepingCredentials(deps), { client: existing, operator }, body);
}

/** Removes the extension grant types that cannot be registered, with a warning. */
function withRegistrableGrants(
  client: ReadableClient,
  { grantTypes: known }: Pick<SupportedMetadata, 'grantTypes'>,
): ReadableClient {
  const { grant_types: given } = client.metadata;
  if (!Array.isArray(given)) return client;
  const isForeign = (value: JsonValue) => isExtensionGrantType(value) && !known.includes(value);
  const kept = given.filter((value) => !isForeign(value));
  if (kept.length === given.length) return client;
  const warning = 'Grant types that are not listed in REGISTRABLE_GRANT_TYPES are left out.';
  return {
    ...client,
    metadata: { ...client.metadata, grant_types: kept },
    warnings: [...client.warnings, warning],
  };
}

/** A repository that overlays created and replaced clients in memory without writing them, at about 3 KB a client. */
function dryRunClients(clients: ClientRepository): ClientRepository {
  const dryRun = new Map<ClientId, Client>();
  const find = async (id: ClientId) => dryRun.get(id) ?? clients.find(id);
  return {
    ...clients,
    find,
    create: async (client) => {
      if ((await find(client.id)) !== undefined) return 'id_taken';
      if (await clients.isBlocked(client)) throw blockedClientRefusal();
      dryRun.set(client.id, client);
      return 'created';
    },
    replace: async ({ client }) => {
      if ((await find(client.id))?.version !== client.version - 1) return false;
      if (await clients.isBlocked(client)) throw blockedClientRefusal();
      dryRun.set(client.id, client);
      return true;
    },
  };
}
