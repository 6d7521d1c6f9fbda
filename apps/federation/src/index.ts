export { buildApp } from './app.js';
export { composeFederation, type FederationParts } from './compose.js';
export { type FederationServiceConfig, FederationServiceSettings, loadFederationConfig } from './config.js';
export type { Federation, FederationServiceDeps, OwnEntity } from './deps.js';
export { federationAlgorithms } from './own-statements.js';
export { FEDERATION_ERRORS } from './presentation.js';
export { federationRoutes } from './routes.js';
