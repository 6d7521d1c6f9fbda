export { anEntityId } from './entity-ids.js';
export { failureReason, reasonOf, reportedReason } from './refusal.js';
export { SINGLE_DEFECTS, type SingleDefect } from './single-defects.js';
export {
  anEntity,
  type Changes,
  configurationClaims,
  keysOf,
  LIFETIME,
  NOW,
  signAs,
  subordinateClaims,
  type TestEntity,
} from './test-entity.js';
export {
  aFederation,
  fetchEndpoint,
  type ResolutionChanges,
  subordinateAddress,
  superiorMetadata,
} from './test-federation.js';
export {
  asGivenChain,
  RECIPIENT,
  SIGN,
  type Statements,
  served,
  soundStatements,
  type ThreeLevels,
  threeLevels,
  trustRules,
} from './three-levels.js';
