export { type ImportRefusal, ISSUED_AT_SKEW_SECONDS } from './check-imported-token.js';
export {
  type ImportCounts,
  type ImportResult,
  importAll,
  importEach,
  refusedEntry,
  type TokenImportDeps,
} from './import-tokens.js';
export { IMPORTED_TOKEN_KINDS, type ImportedToken, type ImportedTokenKind } from './imported-token.js';
export type {
  ImportConflict,
  ImportedTokenRecord,
  ImportedTokenStore,
  ImportOptions,
  ImportOutcome,
} from './imported-token-store.js';
