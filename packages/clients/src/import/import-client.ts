import { type JsonObject, parseClientId } from '@vestibule/protocol';
import type { OperatorActor } from '../audit-actor.js';
import { updateUnchanged } from '../change-client.js';
import type { Client } from '../client.js';
import type { ClientResponse } from '../client-response.js';
import { keepingCredentials } from '../keeping-credentials.js';
import { registerClient } from '../register-client.js';
import { operatorAuthority } from '../registration-authority.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { dryRunClients } from './dry-run-clients.js';
import type { ReadableClient } from './exported-client.js';
import type { ImportedSecret } from './imported-secret.js';
import { prepareImport } from './prepare-import.js';
import { prepareUpdate } from './prepare-update.js';
import { withRegistrableGrants } from './registrable-grants.js';
import { isWeakSecret } from './secret-strength.js';

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
  | {
      readonly outcome: 'created' | 'updated';
      /**
       * What became of its secret: kept is that of the export, or the one that it has here already, and hashed the same
       * where only its hash is known until it is first used.
       */
      readonly secret: 'kept' | 'hashed' | 'new' | 'none';
      /** Whether the secret of the export has fewer than 128 bits. */
      readonly isWeak?: true;
      /** In clear, where it was issued just now. */
      readonly newSecret?: string;
      /** What the rules of registrations here have left out besides, and what has become of its secret. */
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'secret_lost'; readonly reason: string };

/**
 * Registers a client of an export with its identifier and secret, under the rules of registrations by the master token.
 * Running an import again is harmless: a client that is here stays as it is, or takes the metadata of the export. It
 * then keeps its registration token, its secret where that still serves, and its data where the export has none.
 * @throws DomainError as `registerClient` and `updateClient` do.
 */
export async function importClient(deps: RegistrationDeps, input: ImportInput): Promise<ImportOutcome> {
  // A lost round means that someone else has changed the client, so that there is something new to look at.
  for (;;) {
    const judged = await judgeImport(deps, input);
    if ('decided' in judged) return judged.decided;
    const response = await carryOut(deps, judged, input);
    if (response === undefined) continue;
    const { client_secret: issued } = response.information;
    const isNew = judged.told.secret === 'new' && typeof issued === 'string';
    return { ...judged.told, ...(isNew && { newSecret: issued }) };
  }
}

/** Judges an import as {@link importClient} does, and does nothing. */
export type ImportDryRun = (input: ImportInput) => Promise<ImportOutcome>;

/**
 * Rehearses imports one after another, each as if those before it had been carried out; what they would have made is
 * kept in memory.
 * @throws DomainError as `importClient` does, from what it returns.
 */
export function importDryRun(deps: RegistrationDeps): ImportDryRun {
  const clients = dryRunClients(deps.clients);
  return async (input) => {
    const result = await importClient({ ...deps, clients }, input);
    if (!('newSecret' in result)) return result;
    const { newSecret: _, ...told } = result;
    return told;
  };
}

/** An import that is decided without a change, or one to be carried out. */
type Judged = { readonly decided: ImportOutcome } | JudgedChange;

interface JudgedChange {
  /** The client as the update is to find it; absent where one is created. */
  readonly existing?: Client;
  readonly body: JsonObject;
  readonly importedSecret?: ImportedSecret | undefined;
  readonly told: Extract<ImportOutcome, { readonly secret: unknown }>;
}

async function judgeImport(deps: RegistrationDeps, input: ImportInput): Promise<Judged> {
  const { replacesExisting, issuesNewSecrets } = input;
  const client = withRegistrableGrants(input.client, deps.supported);
  const existing = await findExisting(deps, client);
  if (existing !== undefined && !replacesExisting) return { decided: { outcome: 'exists' } };
  const { secret, warnings, ...change } =
    existing === undefined ? await prepareImport(deps, client) : await prepareUpdate(deps, existing, client);
  const outcome = existing === undefined ? 'created' : 'updated';
  if (typeof secret === 'string') {
    const isWeak = secret === 'kept' && client.secret.kind === 'given' && isWeakSecret(client.secret.value);
    return { ...change, told: { outcome, secret, ...(isWeak && { isWeak }), warnings } };
  }
  if (!issuesNewSecrets) return { decided: { outcome: 'secret_lost', reason: secret.lostBecause } };
  return { ...change, told: { outcome, secret: 'new', warnings } };
}

async function findExisting(deps: RegistrationDeps, { id }: ReadableClient): Promise<Client | undefined> {
  const clientId = parseClientId(id);
  return clientId && deps.clients.find(clientId);
}

/** `undefined`, and no change, when someone else has changed the client since it was judged. */
function carryOut(
  deps: RegistrationDeps,
  { existing, body, importedSecret }: JudgedChange,
  { operator }: ImportInput,
): Promise<ClientResponse | undefined> {
  if (existing === undefined)
    return registerClient(deps, { authority: operatorAuthority(operator), body, importedSecret });
  return updateUnchanged(keepingCredentials(deps), { client: existing, operator }, body);
}
