export { acceptDocument, type DocumentAcceptanceDeps } from './accept-document.js';
export {
  type DocumentClientDeps,
  type DocumentClients,
  documentClients,
  type FetchAdmission,
} from './document-clients.js';
export { type DocumentHosts, isPermittedHost, parseDocumentHosts } from './document-hosts.js';
export type {
  DocumentEvent,
  DocumentLease,
  DocumentRecord,
  DocumentStore,
  DueDocuments,
  FoundDocument,
  RecordedProblem,
} from './document-record.js';
export {
  DOCUMENT_REFUSAL_REASONS,
  type DocumentProblem,
  DocumentRefusal,
  type DocumentRefusalReason,
} from './document-refusal.js';
export type { DocumentSettings } from './document-settings.js';
export type {
  DocumentCaching,
  DocumentFetch,
  DocumentSource,
  DocumentValidators,
} from './document-source.js';
export { type DocumentUrl, parseDocumentUrl } from './document-url.js';
export {
  type DocumentExplanation,
  type DocumentExplanationDeps,
  explainDocument,
} from './explain-document.js';
export { METADATA_DOCUMENT } from './register-document-client.js';
