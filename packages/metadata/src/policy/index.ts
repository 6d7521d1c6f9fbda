export {
  applyPolicy,
  type EntityMetadata,
  type PolicyApplication,
  type PolicyStep,
} from './apply-policy.js';
export { mergePolicies, type PolicyMerge, type PolicyMergeStep } from './merge-policies.js';
export {
  EMPTY_POLICY,
  type EntityTypePolicy,
  type MetadataPolicy,
  parseMetadataPolicy,
  policyToJson,
} from './metadata-policy.js';
export { PolicyFailure, type PolicyReason } from './policy-failure.js';
export { type ParameterPolicy, POLICY_OPERATORS, type PolicyOperator } from './policy-operators.js';
