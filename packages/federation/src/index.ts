export type { AnchorConditions, ConditionsByAnchor } from './chains/anchor-conditions.js';
export { type CandidateChain, type ChainLink, entitiesOf } from './chains/candidate-chain.js';
export {
  type MetadataReport,
  type PathReport,
  STATEMENT_CHECKS,
  type StatementCheck,
  type StatementPlace,
  type StatementReport,
} from './chains/chain-report.js';
export { type DeniedEntities, requireNoneDenied } from './chains/denied-entities.js';
export {
  DEFAULT_DISCOVERY_LIMITS,
  type DiscoveryLimits,
  type DocumentFetchers,
  type MarkStatusFetcher,
  markStatusKey,
  type StatementCache,
  type StatementFetcher,
} from './chains/discovery-ports.js';
export { explainResolution, type TrustExplanation } from './chains/explain-resolution.js';
export { MAX_GIVEN_LENGTH, MAX_GIVEN_STATEMENTS, readGivenChain } from './chains/given-chain.js';
export type { TrustRules } from './chains/judge-path.js';
export {
  judgeGivenChain,
  type Resolution,
  type ResolutionContext,
  resolveTrust,
} from './chains/resolve-trust.js';
export {
  createStatementReader,
  type StatementReader,
  type StatementReaderDeps,
} from './chains/statement-reader.js';
export { parseTrustAnchors, type TrustAnchors } from './chains/trust-anchors.js';
export {
  type ChainRules,
  type ChainVerdict,
  type TrustedChain,
  validateChain,
} from './chains/validate-chain.js';
export { allowedMetadata, requireWithinConstraints } from './constraints/check-constraints.js';
export { type Constraints, EMPTY_CONSTRAINTS, parseConstraints } from './constraints/constraints.js';
export {
  isNamePermitted,
  type NamingConstraints,
  parseNamingConstraints,
} from './constraints/naming-constraints.js';
export { configurationAddress, type EntityId, hostOf, parseEntityId } from './entity-id.js';
export { FEDERATION_REASONS, FederationFailure, type FederationReason } from './federation-failure.js';
export {
  DRAFT_PROFILE_USES,
  type DraftProfileUse,
  PROFILE_RULES,
  type Profile,
  type ProfileRules,
  type StatementRules,
} from './profile.js';
export {
  type AutomaticProof,
  type AutomaticRequest,
  type AutomaticRules,
  readAutomaticRequest,
  verifyAutomaticRequest,
} from './registration/automatic-request.js';
export {
  type ExplicitRequest,
  PROVIDER,
  RELYING_PARTY,
  type Recipient,
  readExplicitRequest,
  type StatementBody,
} from './registration/explicit-request.js';
export { refusalOf } from './registration/refusals.js';
export {
  type RegistrationOutcome,
  type RegistrationStatement,
  registrationStatement,
} from './registration/registration-statement.js';
export {
  type RegistrationRules,
  type RegistrationTrust,
  type RelyingParty,
  requireTrust,
  resolveRegistration,
} from './registration/resolve-registration.js';
export { type SignedKeySet, verifySignedKeySet } from './registration/signed-key-set.js';
export { decodeStatement, MAX_STATEMENT_LENGTH } from './statements/decode-statement.js';
export type {
  EntityConfigurationContent,
  Parsed,
  ParsedConfiguration,
  ParsedSubordinateStatement,
  StatedTrustMark,
  SubordinateStatementContent,
  TrustMarkOwner,
  UnverifiedStatement,
  Verified,
  VerifiedConfiguration,
  VerifiedSubordinateStatement,
} from './statements/entity-statement.js';
export { parseConfiguration, parseSubordinateStatement } from './statements/parse-statement.js';
export { readEndpoint } from './statements/statement-claims.js';
export {
  requireAlive,
  verifyConfiguration,
  verifySubordinateStatement,
} from './statements/verify-statement.js';
export {
  judgeTrustMarks,
  type RequiredTrustMarks,
  type TrustMarkReport,
} from './trust-marks/required-trust-marks.js';
export {
  type TrustMark,
  type TrustMarkContext,
  type TrustMarkIssuer,
  type TrustMarkIssuers,
  verifyTrustMark,
} from './trust-marks/verify-trust-mark.js';
