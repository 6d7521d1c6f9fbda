export { anEntityId } from './entity-ids.js';
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
  SIGN,
  type Statements,
  served,
  soundStatements,
  type ThreeLevels,
  threeLevels,
  trustRules,
} from './three-levels.js';
