import type { OperatorActor } from '@vestibule/clients';
import {
  type ExportFormat,
  type ImportInput,
  type ImportOutcome,
  importClient,
  importDryRun,
  type ReadableClient,
  readExportedClient,
} from '@vestibule/clients/import';
import { DomainError } from '@vestibule/protocol';
import type { ExportEntry, LocatedEntry } from './export-file.js';
import { turns } from './import-order.js';
import type { OperatorDeps } from './with-registration.js';

/** Options of an import. */
export interface ImportPlan {
  readonly format: ExportFormat;
  readonly operator: OperatorActor;
  readonly isDryRun: boolean;
  /** Whether existing clients are updated with the metadata of the export. */
  readonly replacesExisting: boolean;
  /** Handling of clients whose secret cannot be kept: a problem by default. */
  readonly unkeptSecrets: 'problem' | 'new' | 'skip';
}

/** Result of importing an entry. It contains a secret only if a new one was issued. */
export interface ImportedEntry {
  readonly client_id?: string;
  readonly outcome: 'created' | 'updated' | 'exists' | 'passed_over' | 'problem';
  /** Handling of the secret, if the client was created or updated. */
  readonly secret?: 'kept' | 'hashed' | 'new' | 'none';
  /** Whether the kept secret has fewer than 128 bits. */
  readonly weak_secret?: true;
  readonly client_secret?: string;
  /** Reasons, and what could not be imported. */
  readonly remarks: readonly string[];
}

type ImportOne = (input: ImportInput) => Promise<ImportOutcome>;

/**
 * Imports entries, or only checks them. Entries with the same identifier are handled in order. A problem of an entry is
 * its outcome.
 */
export function entryImport(
  deps: OperatorDeps,
  plan: ImportPlan,
): (found: ExportEntry) => Promise<ImportedEntry> {
  const importOne: ImportOne = plan.isDryRun ? importDryRun(deps) : (input) => importClient(deps, input);
  const inTurn = turns<ImportOutcome>();
  const oneByOne: ImportOne = (input) => inTurn(input.client.id, () => importOne(input));
  return async (found) => {
    if ('problem' in found) return { outcome: 'problem', remarks: [found.problem] };
    return located(await importEntry(oneByOne, found, plan), found);
  };
}

/** Adds the line number to problems. */
function located(result: ImportedEntry, { line }: LocatedEntry): ImportedEntry {
  const [first, ...others] = result.remarks;
  if (line === undefined || result.outcome !== 'problem') return result;
  return { ...result, remarks: [`Line ${line}: ${first}`, ...others] };
}

async function importEntry(
  importOne: ImportOne,
  { entry }: LocatedEntry,
  plan: ImportPlan,
): Promise<ImportedEntry> {
  const client = readExportedClient(plan.format, entry);
  const { id } = client;
  const named = id === undefined ? {} : { client_id: id };
  if (client.kind === 'passed_over') return { ...named, outcome: 'passed_over', remarks: [client.reason] };
  try {
    return { ...named, ...(await carryOut(importOne, plan, client)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, description = code } = error;
    return { ...named, outcome: 'problem', remarks: [description, ...client.warnings] };
  }
}

async function carryOut(
  importOne: ImportOne,
  { operator, replacesExisting, unkeptSecrets }: ImportPlan,
  client: ReadableClient,
): Promise<Omit<ImportedEntry, 'client_id'>> {
  const issuesNewSecrets = unkeptSecrets === 'new';
  const result = await importOne({ client, operator, replacesExisting, issuesNewSecrets });
  if (result.outcome === 'exists') return { outcome: 'exists', remarks: [] };
  if (result.outcome === 'secret_lost') return unkept(result.reason, { client, unkeptSecrets });
  const { outcome, secret, isWeak, newSecret, warnings } = result;
  return {
    outcome,
    secret,
    ...(isWeak && { weak_secret: isWeak }),
    ...(newSecret !== undefined && { client_secret: newSecret }),
    remarks: secret === 'new' ? ['Its secret cannot be kept: a new one is issued.', ...warnings] : warnings,
  };
}

function unkept(
  reason: string,
  { client, unkeptSecrets }: { readonly client: ReadableClient } & Pick<ImportPlan, 'unkeptSecrets'>,
): Omit<ImportedEntry, 'client_id'> {
  const remark = `Its secret cannot be kept. ${reason}`;
  if (unkeptSecrets === 'skip') return { outcome: 'passed_over', remarks: [remark] };
  return {
    outcome: 'problem',
    remarks: [
      `${remark} Use --new-secrets to issue a new one, or --skip to skip the client.`,
      ...client.warnings,
    ],
  };
}
