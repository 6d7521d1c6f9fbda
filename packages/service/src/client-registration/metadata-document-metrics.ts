import {
  DOCUMENT_REFUSAL_REASONS,
  type DocumentClientDeps,
  type DocumentRefusalReason,
} from '@vestibule/clients/metadata-documents';
import { oncePerRegistry } from '@vestibule/http/observability';
import { Counter } from 'prom-client';

/** Counts validations and refusals of client ID metadata documents. */
export interface MetadataDocumentMetrics {
  readonly validated: DocumentClientDeps['onValidated'];
  readonly refused: (reason: DocumentRefusalReason) => void;
}

/** Metrics of client ID metadata documents, shared by all services of a process. Labels never contain hosts or URLs. */
export const metadataDocumentMetrics = oncePerRegistry((registry): MetadataDocumentMetrics => {
  const registers = [registry];
  const validations = new Counter({
    name: 'metadata_document_validations_total',
    help: 'Validations of client ID metadata documents that this process performed, by result: `accepted`, `refused`, or `failed` for lack of capacity or because of an internal error.',
    labelNames: ['result'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'metadata_document_refusals_total',
    help: 'Requests refused because of the client ID metadata document of their client, by reason.',
    labelNames: ['reason'] as const,
    registers,
  });
  for (const result of ['accepted', 'refused', 'failed']) validations.inc({ result }, 0);
  for (const reason of DOCUMENT_REFUSAL_REASONS) refusals.inc({ reason }, 0);
  return {
    validated: (result) => validations.inc({ result }),
    refused: (reason) => refusals.inc({ reason }),
  };
});
