export {
  composeMetadataDocuments,
  explainMetadataDocument,
  type MetadataDocumentConfig,
  type MetadataDocumentParts,
  MetadataDocumentSettings,
} from './compose-metadata-documents.js';
export { type MetadataDocumentMetrics, metadataDocumentMetrics } from './metadata-document-metrics.js';
