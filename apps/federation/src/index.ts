export { API_DOCUMENT_PATH, federationApi } from './api/api-document.js';
export { buildApp } from './app.js';
export { composeFederation, type FederationParts } from './compose.js';
export {
  type FederationServiceConfig,
  FederationServiceSettings,
  federationWarnings,
  loadFederationConfig,
} from './config.js';
export type { Federation, FederationServiceDeps, OwnEntity } from './deps.js';
export {
  dryRunEntity,
  type EntityExplanation,
  explainEntity,
} from './explain-entity.js';
export { federationAlgorithms } from './own-statements.js';
export { type PathNode, pathTree } from './pages/path-tree.js';
export { FEDERATION_ERRORS } from './presentation.js';
export { federationRouteGroup, federationRoutes } from './routes.js';
