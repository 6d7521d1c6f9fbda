export { EXPORT_FORMATS, type ExportFormat, type ReadableClient } from './exported-client.js';
export {
  type ImportDryRun,
  type ImportInput,
  type ImportOutcome,
  importClient,
  importDryRun,
} from './import-client.js';
export { exportEntries, readExportedClient } from './read-exported-client.js';
