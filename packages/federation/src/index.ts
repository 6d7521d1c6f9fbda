export { allowedMetadata, requireWithinConstraints } from './constraints/check-constraints.js';
export { type Constraints, EMPTY_CONSTRAINTS, parseConstraints } from './constraints/constraints.js';
export {
  isNamePermitted,
  type NamingConstraints,
  parseNamingConstraints,
} from './constraints/naming-constraints.js';
export { DIALECT_RULES, type Dialect, type DialectRules, type StatementRules } from './dialect.js';
export { configurationAddress, type EntityId, hostOf, parseEntityId } from './entity-id.js';
export { FEDERATION_REASONS, FederationFailure, type FederationReason } from './federation-failure.js';
export {
  applyPolicy,
  type EntityMetadata,
  type PolicyApplication,
  type PolicyStep,
} from './policy/apply-policy.js';
export { mergePolicies, type PolicyMerge, type PolicyMergeStep } from './policy/merge-policies.js';
export {
  EMPTY_POLICY,
  type EntityTypePolicy,
  type MetadataPolicy,
  parseMetadataPolicy,
  policyToJson,
} from './policy/metadata-policy.js';
export { type ParameterPolicy, POLICY_OPERATORS, type PolicyOperator } from './policy/policy-operators.js';
export { withSuperiorMetadata } from './policy/superior-metadata.js';
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
export {
  requireAlive,
  verifyConfiguration,
  verifySubordinateStatement,
} from './statements/verify-statement.js';
