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
