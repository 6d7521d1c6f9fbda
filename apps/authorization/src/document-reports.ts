import type { DocumentClientDeps } from '@vestibule/clients/metadata-documents';
import type { Logger } from '@vestibule/http/observability';
import { metadataDocumentMetrics } from '@vestibule/service/client-registration';

/** What is counted and logged of client ID metadata documents. */
export type DocumentReports = Pick<DocumentClientDeps, 'onRefused' | 'onValidated'>;

/** Reports nothing. */
export const NO_DOCUMENT_REPORTS: DocumentReports = {
  onRefused: () => undefined,
  onValidated: () => undefined,
};

/** Counts validations and refusals of client ID metadata documents, and logs each refusal with host and reason. */
export function documentReports(
  registry: Parameters<typeof metadataDocumentMetrics>[0],
  logger: Pick<Logger, 'info'>,
): DocumentReports {
  const { refused, validated } = metadataDocumentMetrics(registry);
  return {
    onRefused: (url, { reason, message: detail }) => {
      refused(reason);
      const host = URL.canParse(url) ? new URL(url).host : undefined;
      logger.info({ host, reason, detail }, 'client ID metadata document refused');
    },
    onValidated: validated,
  };
}
