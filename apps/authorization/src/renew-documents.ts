import type { DocumentClients } from '@vestibule/clients/metadata-documents';
import { startMaintenanceJob } from '@vestibule/database';
import type { Dependency } from '@vestibule/service/process';

/** Options of {@link renewDocuments}. */
export interface DocumentRenewal {
  /** Absent if client ID metadata documents are off. */
  readonly documents?: Pick<DocumentClients, 'renewDue'>;
  readonly intervalSeconds: number;
  readonly onProblem: (error: unknown) => void;
}

/** Starts to validate documents that are due at intervals; `undefined` if documents are off. */
export function renewDocuments({
  documents,
  intervalSeconds,
  onProblem,
}: DocumentRenewal): Dependency | undefined {
  if (documents === undefined) return undefined;
  const { stop } = startMaintenanceJob({
    run: documents.renewDue,
    intervalMs: intervalSeconds * 1000,
    onError: onProblem,
  });
  return { name: 'documents', close: stop };
}
