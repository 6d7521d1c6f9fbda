export { ASSERTION_SETTINGS } from './assertion-settings.js';
export { type Bearer, parseBearer } from './bearer.js';
export { type BearerChallenge, bearerChallenge } from './bearer-challenge.js';
export type { BodyFormat } from './body-format.js';
export { isCleanText } from './clean-text.js';
export {
  type CertificateHeader,
  type ClientCertificateOptions,
  type ClientCertificateReading,
  clientCertificateReader,
  type PresentedCertificate,
} from './client-certificate.js';
export {
  CLIENT_CERTIFICATE_SETTINGS,
  type ClientCertificateSettings,
  checkClientCertificateSettings,
  clientCertificateOptions,
} from './client-certificate-settings.js';
export {
  type ClientRegistrationConfig,
  type CommonRegistrationSettings,
  commonRegistrationSettings,
} from './client-registration.js';
export { CLIENT_SETTINGS } from './client-settings.js';
export { EGRESS_SETTINGS } from './egress-settings.js';
export { type AddResource, endpointFamily, type FamilyOptions } from './endpoint-family.js';
export { type ErrorRecord, errorRecord } from './error-record.js';
export {
  type ErrorAnswer,
  type ErrorPresenter,
  type ErrorTable,
  emptyError,
  JSON_CONTENT_TYPE,
  jsonError,
  throttledError,
} from './error-table.js';
export { type ErrorOccasions, errorsReference } from './errors-reference.js';
export type { Handler, Hook, Reply, Request, Server } from './fastify-types.js';
export { type FormBodyOptions, formBody } from './form-body.js';
export type { HttpMetrics, OperationMetrics } from './http-metrics.js';
export { DEFAULT_JSON_LIMITS, type JsonBodyOptions, jsonBody } from './json-body.js';
export { type Environment, loadSettings, type SettingsCheck } from './load-settings.js';
export { LOG_LEVELS, type LogLevel } from './log-levels.js';
export { createLogger, type Logger, type LogOptions } from './logger.js';
export { createMetrics, type Metrics } from './metrics.js';
export { networkOf } from './network-of.js';
export { OAUTH_SETTINGS } from './oauth-settings.js';
export { addApiDocument, type ServedApiDocument } from './openapi/add-api-document.js';
export type { OpenApiPart } from './openapi/open-api-part.js';
export {
  type OpenApiDocument,
  type OpenApiOptions,
  openApiDocument,
} from './openapi/openapi-document.js';
export type {
  HeaderDescription,
  OperationDescription,
  ResponseDescription,
} from './openapi/operation-description.js';
export type { EndSignal, ProcessHost } from './process-host.js';
export { type ReadMetric, readCounter, readGauge } from './read-metrics.js';
export type { Dependency } from './readiness.js';
export { requireMasterToken } from './require-master-token.js';
export type { Method, ResourceRoutes } from './resource.js';
export { type Route, type RouteDefinition, route } from './route.js';
export {
  type Application,
  type BuildContext,
  type ProcessSettings,
  type RunningService,
  runService,
  type ServiceOptions,
} from './run-service.js';
export { Secret } from './secret.js';
export { createServer, type ServerOptions } from './server.js';
export { beginDrain } from './server-context.js';
export type { ServerTls } from './server-tls.js';
export { createServiceEgress, type ServiceEgressOptions } from './service-egress.js';
export { openServiceStore, type ServiceStore, type ServiceStoreOptions } from './service-store.js';
export {
  customSetting,
  type Reading,
  type SecretOptions,
  type SettingOptions,
  type SettingReader,
  secretSetting,
  secretValueSetting,
  splitList,
} from './setting.js';
export { SettingsError, type SettingsProblem } from './settings-error.js';
export { describeSettings, type SettingDescription, settingsReference } from './settings-reference.js';
export { isLoopback, portSetting, SHARED_SETTINGS } from './shared-settings.js';
export { endWhenUnread } from './silent-reader.js';
export { StartError } from './start-error.js';
export { CLEAN_UP_SETTINGS, STORE_SETTINGS } from './store-settings.js';
export { type TextBodyOptions, textBody } from './text-body.js';
export { ThrottledError } from './throttled-error.js';
export { checkTlsSettings, serverTls, TLS_SETTINGS, type TlsSettings } from './tls-settings.js';
export type { RequestTracer } from './tracing/request-tracer.js';
export { TRACE_SETTINGS, type TraceSettings } from './tracing/trace-settings.js';
export { parseUrlEncoded, type UrlEncodedFields } from './url-encoded.js';
