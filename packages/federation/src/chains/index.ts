export type { AnchorConditions, ConditionsByAnchor } from './anchor-conditions.js';
export {
  type MetadataReport,
  type PathReport,
  STATEMENT_CHECKS,
  type StatementCheck,
  type StatementReport,
} from './chain-report.js';
export type { DeniedEntities } from './denied-entities.js';
export {
  DEFAULT_DISCOVERY_LIMITS,
  type DiscoveryLimits,
  type DocumentFetchers,
  type MarkStatusFetcher,
  markStatusKey,
  type StatementCache,
  type StatementFetcher,
} from './discovery-ports.js';
export type { TrustRules } from './evaluate-path.js';
export {
  explainResolution,
  type TrustExplanation,
  type TrustedExplanation,
  type UntrustedExplanation,
} from './explain-resolution.js';
export { MAX_GIVEN_STATEMENTS, readGivenChain } from './given-chain.js';
export {
  evaluateGivenChain,
  type Resolution,
  type ResolutionContext,
  resolveTrust,
} from './resolve-trust.js';
export { createStatementReader, type StatementReader } from './statement-reader.js';
export { parseTrustAnchors, type TrustAnchors } from './trust-anchors.js';
export { type ChainRules, type ChainVerdict, type TrustedChain, validateChain } from './validate-chain.js';
