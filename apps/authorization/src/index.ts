export { API_DOCUMENT_PATH, directAuthorizationApi } from './api-document.js';
export { buildApp } from './app.js';
export {
  importedTokenCounter,
  pendingChangesGauge,
  refusedClientCounter,
  registerChangeStreams,
  throttledRequestCounter,
  unverifiedRevocationCounter,
  upstreamLoginCounter,
} from './authorization-metrics.js';
export { openChangeWebhook } from './changes/open-change-webhook.js';
export { type AuthorizationParts, composeAuthorization, providerAgreement } from './compose.js';
export { type AuthorizationConfig, AuthorizationServiceSettings, loadAuthorizationConfig } from './config.js';
export type {
  AuthorizationServiceDeps,
  DirectAuthorizationDeps,
  DirectAuthorizationSettings,
} from './deps.js';
export { type DiscoveryContent, discoveryDocument } from './discovery.js';
export { type DocumentReports, documentReports } from './document-reports.js';
export {
  type Account,
  type Accounts,
  INTERACTION_PATH,
  type Interaction,
} from './interaction/interaction.js';
export type {
  EndUserLogin,
  InteractionClient,
  InteractionExchange,
  InteractionHost,
  InteractionResource,
  PendingInteraction,
} from './interaction/interaction-host.js';
export { AUTHORIZATION_ERRORS } from './presentation.js';
export type { ProviderDeps, ProviderSettings } from './provider/provider-deps.js';
export { type DocumentRenewal, renewDocuments } from './renew-documents.js';
export { authorizationRoutes, directAuthorizationRouteGroup } from './routes.js';
export { upstreamHosts } from './upstream/compose-upstream.js';
